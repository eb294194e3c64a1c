#include "translate/repetition.h"

#include <map>
#include <span>
#include <string_view>
#include <unordered_set>

#include <spdlog/fmt/fmt.h>

namespace heed {

Repetition most_repeated(const std::vector<std::string>& words, size_t size) {
  Repetition most;
  std::map<std::string, int64_t> counts;
  for (size_t begin = 0; begin + size <= words.size(); ++begin) {
    const std::string run =
        fmt::format("{}", fmt::join(std::span(words).subspan(begin, size), " "));
    const int64_t count = ++counts[run];
    if (count > most.count) most = {run, count};
  }
  return most;
}

Repetition find_repetition(const std::vector<std::string>& source,
                           const std::vector<std::string>& target, bool is_unspaced) {
  constexpr int64_t kOften = 3;
  constexpr size_t kPart = 4;
  const size_t size = is_unspaced ? 8 : 4;
  // The shortest loop in which a run occurs three times has one word, `size` and two times.
  const std::unordered_set<std::string_view> distinct(target.begin(), target.end());
  if (target.size() < distinct.size() + size + 1) return {};
  const Repetition most = most_repeated(target, size);
  const bool is_often =
      most.count >= kOften && static_cast<size_t>(most.count) * size * kPart >= target.size();
  return is_often && most.count > most_repeated(source, size).count ? most : Repetition();
}

}  // namespace heed
