#include "kernels/kernels.h"

#include <algorithm>

#include "kernels/aligned.h"
#include "kernels/sets.h"

namespace heed {

// The kernels keep four matrices of one head at a time.
int64_t work_size(const SentenceAttention& view) {
  constexpr int64_t kPanel = 32;  // at least the columns of every set
  const auto padded = [](int64_t count) { return filled_up(count, kPanel); };
  const int64_t longest = std::max(view.query_count, view.key_count);
  const int64_t widest = std::max(view.width, view.value_width);
  return 4 * padded(longest) * std::max({padded(widest), padded(longest), view.weight_stride});
}

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
