// Source and target that are the same text: a file named twice, or text that was never translated.
#include "base/log.h"
#include "data/checks/pair_check.h"

namespace heed {

namespace {

class SameLineCheck final : public PairCheck {
 public:
  explicit SameLineCheck(size_t parts) : counts_(parts) {}

  void see(size_t part, int64_t, const Lines& lines) override {
    Count& count = counts_[part];
    if (lines.back().empty()) return;
    ++count.pairs;
    for (size_t source = 0; source + 1 < lines.size(); ++source) {
      if (lines[source] != lines.back()) continue;
      ++count.same;
      return;
    }
  }

  void report(const std::vector<TextPart>& parts, Lines& found) const override {
    for (size_t part = 0; part < parts.size(); ++part) {
      const Count& count = counts_[part];
      if (2 * count.same <= count.pairs) continue;
      found.push_back(fmt::format(
          "{}: source and target are the same line in {} of {} pairs; is a file named twice? (a "
          "task of copying may ignore this)",
          parts[part].name, format_count(count.same), format_count(count.pairs)));
    }
  }

 private:
  struct Count {
    int64_t pairs = 0, same = 0;
  };
  std::vector<Count> counts_;
};

}  // namespace

std::unique_ptr<PairCheck> same_line_check(size_t parts) {
  return std::make_unique<SameLineCheck>(parts);
}

}  // namespace heed
