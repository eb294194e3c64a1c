// Layers with rectifiers, one after the other: x ← max(0, W x + b).
#pragma once

#include <string>
#include <vector>

#include "nn/linear.h"
#include "nn/pass.h"

namespace heed {

// The parameters are those of the owner: name.weight of the first layer, name_1.weight of the
// second.
class RectifiedLayers {
 public:
  RectifiedLayers() = default;  // none
  RectifiedLayers(Module& owner, const std::string& name, int64_t count, int64_t from, int64_t to);
  // [..,from] -> [..,to]; dropout: probability before each layer.
  Tensor operator()(Tensor x, double dropout, const Pass& pass) const;

 private:
  std::vector<Linear> layers_;
};

}  // namespace heed
