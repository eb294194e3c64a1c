#include "text/sample.h"

#include "base/random.h"

namespace heed {

std::vector<std::string> draw_sample(const LineSource& lines, int64_t size, uint64_t key) {
  std::vector<std::string> sample;
  RandomStream stream(key);
  uint64_t seen = 0;
  lines([&](std::string_view line) {
    ++seen;
    if (sample.size() < static_cast<size_t>(size)) {
      sample.emplace_back(line);
      return;
    }
    const uint64_t index = stream.below(seen);
    if (index < sample.size()) sample[index] = line;
  });
  return sample;
}

}  // namespace heed
