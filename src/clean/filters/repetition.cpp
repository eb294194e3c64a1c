#include <algorithm>

#include "clean/filters/filters.h"

namespace heed {

namespace {

struct Loop {
  std::string words;
  int64_t times = 1;
};

// One to four words that follow each other most often.
Loop longest_loop(const std::vector<std::string>& words) {
  constexpr size_t kLongest = 4;
  Loop longest;
  for (size_t size = 1; size <= kLongest; ++size) {
    size_t equal = 0;  // words in a row that equal the word `size` before
    for (size_t i = size; i < words.size(); ++i) {
      equal = words[i] == words[i - size] ? equal + 1 : 0;
      const auto times = static_cast<int64_t>(equal / size) + 1;
      if (times <= longest.times) continue;
      const auto end = words.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      longest = {fmt::format("{}", fmt::join(end - static_cast<std::ptrdiff_t>(size), end, " ")),
                 times};
    }
  }
  return longest;
}

class RepetitionFilter final : public PairFilter {
 public:
  explicit RepetitionFilter(const RepetitionFilterConfig& config) : config_(config) {}

  std::string reason(const CorpusPair& pair) const override {
    const std::array<Loop, 2> loops{longest_loop(pair.sides[0].words()),
                                    longest_loop(pair.sides[1].words())};
    for (size_t side = 0; side < loops.size(); ++side) {
      const auto& [words, times] = loops[side];
      if (times >= config_.times && times >= 2 * loops[1 - side].times)
        return fmt::format("{}: '{}' {} times in a row", kSideNames[side], words, times);
    }
    return "";
  }

 private:
  RepetitionFilterConfig config_;
};

}  // namespace

PairFilterPtr make_repetition_filter(const RepetitionFilterConfig& config) {
  return std::make_shared<RepetitionFilter>(config);
}

}  // namespace heed
