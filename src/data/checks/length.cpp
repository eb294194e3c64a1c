// Pairs that data.max_length leaves out whatever the tokenizer is: a line has at least as many tokens
// as words between spaces.
#include "base/log.h"
#include "base/utf8.h"
#include "data/checks/pair_check.h"

namespace heed {

namespace {

class LengthCheck final : public PairCheck {
 public:
  LengthCheck(size_t parts, int64_t longest) : longest_(longest), counts_(parts) {}

  void see(size_t part, int64_t, const Lines& lines) override {
    Count& count = counts_[part];
    ++count.pairs;
    for (const std::string& line : lines) {
      if (std::ssize(split_words(line)) <= longest_) continue;
      ++count.too_long;
      return;
    }
  }

  void report(const std::vector<TextPart>& parts, Lines& found) const override {
    for (size_t part = 0; part < parts.size(); ++part) {
      const auto& [pairs, too_long] = counts_[part];
      if (2 * too_long <= pairs) continue;
      found.push_back(
          fmt::format("{}: {} of {} pairs have more words than data.max_length: {} allows, and are "
                      "left out; raise it, or split the lines",
                      parts[part].name, format_count(too_long), format_count(pairs), longest_));
    }
  }

 private:
  struct Count {
    int64_t pairs = 0, too_long = 0;
  };

  int64_t longest_;
  std::vector<Count> counts_;
};

}  // namespace

std::unique_ptr<PairCheck> length_check(size_t parts, int64_t longest) {
  return std::make_unique<LengthCheck>(parts, longest);
}

}  // namespace heed
