#include "nn/kernel_path.h"

#include "nn/torch.h"

#include "base/fast_paths.h"
#include "kernels/kernels.h"

namespace heed {

bool takes_kernels(const Tensor& x) {
  return fast_paths() && kernels().lanes > 1 && x.device().is_cpu() &&
         x.scalar_type() == torch::kFloat;
}

}  // namespace heed
