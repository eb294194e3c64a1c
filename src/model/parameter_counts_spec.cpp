#include "model/parameter_counts_spec.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"

namespace heed {

namespace {

constexpr const char* kAll = "all";

// The first `depth` parts of a dotted name.
std::string shortened(const std::string& name, int64_t depth) {
  size_t end = 0;
  for (int64_t part = 0; part < depth; ++part) {
    end = name.find('.', end == 0 ? 0 : end + 1);
    if (end == std::string::npos) return name;
  }
  return name.substr(0, end);
}

std::string row(int64_t indent, const std::string& name, int64_t count) {
  const std::string left = std::string(static_cast<size_t>(2 * indent), ' ') + name;
  return fmt::format("  {:<44} {:>14}\n", left, format_count(count));
}

}  // namespace

std::map<std::string, int64_t> parameter_counts(const TensorSizes& sizes, int64_t depth) {
  std::map<std::string, int64_t> counts;
  int64_t all = 0;
  for (const auto& [name, size] : sizes) {
    all += size;
    for (int64_t level = 1; level <= depth; ++level) {
      const std::string module = shortened(name, level);
      if (level > 1 && module == shortened(name, level - 1)) break;
      counts[module] += size;
    }
  }
  counts[kAll] = all;
  return counts;
}

std::string parameter_table(const TensorSizes& sizes, int64_t depth) {
  const auto counts = parameter_counts(sizes, depth);
  std::string table;
  for (const auto& [module, count] : counts) {
    if (module != kAll) table += row(std::count(module.begin(), module.end(), '.'), module, count);
  }
  return table + row(0, kAll, counts.at(kAll));
}

}  // namespace heed
