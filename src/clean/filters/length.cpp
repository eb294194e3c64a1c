#include <algorithm>

#include "base/utf8.h"
#include "clean/filters/filters.h"

namespace heed {

namespace {

std::string outside(int64_t count, int64_t least, int64_t most, const char* unit) {
  if (count < least) return fmt::format("{} {}, at least {}", count, unit, least);
  if (count > most) return fmt::format("{} {}, at most {}", count, unit, most);
  return "";
}

class LengthFilter final : public SideFilter {
 public:
  explicit LengthFilter(const LengthFilterConfig& config) : config_(config) {}

 private:
  std::string side_reason(const CorpusPair& pair, size_t side) const override {
    const SideLine& line = pair.sides[side];
    std::string found = outside(std::ssize(line.characters), config_.min_characters,
                                config_.max_characters, "characters");
    if (!found.empty()) return found;
    const std::vector<std::string> words = line.words();
    found = outside(std::ssize(words), config_.min_words, config_.max_words, "words");
    if (!found.empty() || line.is_unspaced) return found;
    for (const std::string& word : words) {
      const auto size = static_cast<int64_t>(count_code_points(word));
      if (size > config_.max_word_characters && !is_link(word))
        return fmt::format("a word of {} characters, at most {}", size,
                           config_.max_word_characters);
    }
    return "";
  }

  LengthFilterConfig config_;
};

}  // namespace

PairFilterPtr make_length_filter(const LengthFilterConfig& config) {
  return std::make_shared<LengthFilter>(config);
}

}  // namespace heed
