#include "kernels/kernels.h"

#include <algorithm>
#include <cstdlib>

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__linux__) && defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__linux__) && defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include "kernels/aligned.h"
#include "kernels/sets.h"

namespace heed {

const char* precision_word(Precision precision) {
  switch (precision) {
    case Precision::kBFloat16:
      return "bf16";
    case Precision::kInt8:
      return "int8";
    case Precision::kInt16:
      return "int16";
    case Precision::kFloat:
      break;
  }
  return "fp32";
}

// The kernels keep four matrices of one head at a time.
int64_t work_size(const SentenceAttention& view) {
  constexpr int64_t kPanel = 32;  // at least the columns of every set
  const auto padded = [](int64_t count) { return filled_up(count, kPanel); };
  const int64_t longest = std::max(view.query_count, view.key_count);
  const int64_t widest = std::max(view.width, view.value_width);
  return 4 * padded(longest) * std::max({padded(widest), padded(longest), view.weight_stride});
}

#if defined(__x86_64__)
namespace {

// __builtin_cpu_supports() of older compilers does not know it.
bool has_avx_vnni() {
  constexpr unsigned kAvxVnni = 1U << 4;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 && (a & kAvxVnni) != 0;
}

// Linux gives a process the registers of AMX when it asks for them.
bool may_use_amx() {
#if defined(__linux__)
  constexpr unsigned kBf16 = 1U << 22, kTiles = 1U << 24, kInt8 = 1U << 25;
  constexpr unsigned kAll = kBf16 | kTiles | kInt8;
  constexpr long kRequestPermission = 0x1023, kTileData = 18;  // asm/prctl.h, from 5.17 on
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (d & kAll) == kAll &&
         syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

}  // namespace
#endif

#if defined(__aarch64__)
namespace {

struct Capabilities {
  bool dot_products = false, int8_matrices = false, bf16 = false;
};
Capabilities capabilities() {
#if defined(__linux__)
  const auto more = getauxval(AT_HWCAP2);
  return {.dot_products = (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0,
          .int8_matrices = (more & HWCAP2_I8MM) != 0,
          .bf16 = (more & HWCAP2_BF16) != 0};
#else
  return {};
#endif
}

}  // namespace
#endif

std::vector<const Kernels*> all_kernels() {
  std::vector<const Kernels*> sets = {&kPlainKernels};
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return sets;
  sets.push_back(&kAvx2Kernels);
  if (has_avx_vnni()) sets.push_back(&kAvxVnniKernels);
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
    return sets;
  sets.push_back(&kAvx512Kernels);
  if (!__builtin_cpu_supports("avx512vnni")) return sets;
  sets.push_back(&kAvx512VnniKernels);
  if (!__builtin_cpu_supports("avx512bf16")) return sets;
  sets.push_back(&kAvx512Bf16Kernels);
  if (may_use_amx()) sets.push_back(&amx_kernels());
#elif defined(__aarch64__)
  const Capabilities has = capabilities();
  if (!has.dot_products) return sets;
  sets.push_back(&kNeonDotKernels);
  if (!has.int8_matrices) return sets;
  sets.push_back(&kNeonI8mmKernels);
  if (has.bf16) sets.push_back(&kNeonBf16Kernels);
#endif
  return sets;
}

namespace {

// nullptr: the environment names none, or none of these.
const Kernels* named_in_environment(const std::vector<const Kernels*>& sets) {
  const char* name = std::getenv("HEED_INSTRUCTIONS");
  for (const Kernels* set : sets) {
    if (name != nullptr && set->name == std::string(name)) return set;
  }
  return nullptr;
}

}  // namespace

const Kernels& kernels() {
  static const Kernels* const best = [] {
    const auto sets = all_kernels();
    const Kernels* named = named_in_environment(sets);
    return named == nullptr ? sets.back() : named;
  }();
  return *best;
}

std::string instead_of_instructions() {
  if (std::getenv("HEED_INSTRUCTIONS") == nullptr) return "";
  const auto sets = all_kernels();
  if (named_in_environment(sets) != nullptr) return "";
  std::string names;
  for (const Kernels* set : sets) names += (names.empty() ? "" : ", ") + std::string(set->name);
  return names;
}

}  // namespace heed
