#include "kernels/kernels.h"

#include "kernels/sets.h"

namespace heed {

std::vector<const Kernels*> all_kernels() {
  std::vector<const Kernels*> sets = {&kPlainKernels};
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return sets;
  sets.push_back(&kAvx2Kernels);
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
    return sets;
  sets.push_back(&kAvx512Kernels);
  if (!__builtin_cpu_supports("avx512vnni")) return sets;
  sets.push_back(&kAvx512VnniKernels);
  if (__builtin_cpu_supports("avx512bf16")) sets.push_back(&kAvx512Bf16Kernels);
#endif
  return sets;
}

const Kernels& kernels() {
  static const Kernels& best = *all_kernels().back();
  return best;
}

}  // namespace heed
