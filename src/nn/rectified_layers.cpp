#include "nn/rectified_layers.h"

#include <fmt/format.h>

#include "nn/torch.h"

namespace heed {

RectifiedLayers::RectifiedLayers(Module& owner, const std::string& name, int64_t count,
                                 int64_t from, int64_t to) {
  for (int64_t i = 0; i < count; ++i) {
    layers_.push_back(
        Linear(owner, i == 0 ? name : fmt::format("{}_{}", name, i), i == 0 ? from : to, to));
  }
}

Tensor RectifiedLayers::operator()(Tensor x, double dropout, const Pass& pass) const {
  for (const Linear& layer : layers_) x = torch::relu(layer(heed::dropout(x, dropout, pass)));
  return x;
}

}  // namespace heed
