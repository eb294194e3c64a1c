#include "nn/norm.h"

#include "nn/layer_norm.h"
#include "nn/rms_norm.h"

namespace heed {

std::shared_ptr<Norm> build(NormType type, int64_t width) {
  if (type == NormType::kRms) return std::make_shared<RmsNorm>(width);
  return std::make_shared<LayerNorm>(width);
}

}  // namespace heed
