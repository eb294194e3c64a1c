#include "nn/kernel_path.h"

#include "nn/torch.h"

#include "base/fast_paths.h"

namespace heed {

bool takes_kernels(const Tensor& x) {
  return fast_paths() && x.device().is_cpu() && x.scalar_type() == torch::kFloat;
}

}  // namespace heed
