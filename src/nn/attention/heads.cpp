#include "nn/attention/heads.h"

#include <vector>

#include "nn/torch.h"

namespace heed {

Tensor with_new_keys(const Tensor& x, int64_t keys) {
  std::vector<int64_t> pad(static_cast<size_t>(2 * (x.dim() - 3)), 0);
  pad.insert(pad.end(), {0, keys - x.size(2)});
  return torch::constant_pad_nd(x, pad);
}

}  // namespace heed
