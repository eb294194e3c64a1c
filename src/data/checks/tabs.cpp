// Lines with tabs: a table of several columns in place of one sentence a line.
#include "base/log.h"
#include "data/checks/pair_check.h"

namespace heed {

namespace {

class TabCheck final : public PairCheck {
 public:
  TabCheck(size_t parts, std::vector<bool> expected) : expected_(std::move(expected)) {
    counts_.resize(parts, Count{0, std::vector<int64_t>(expected_.size())});
  }

  void see(size_t part, int64_t, const Lines& lines) override {
    Count& count = counts_[part];
    ++count.pairs;
    for (size_t side = 0; side < lines.size(); ++side)
      count.with_tab[side] += lines[side].find('\t') != std::string::npos;
  }

  void report(const std::vector<TextPart>& parts, Lines& found) const override {
    for (size_t part = 0; part < parts.size(); ++part) {
      const Count& count = counts_[part];
      for (size_t side = 0; side < count.with_tab.size(); ++side) {
        if (expected_[side] || 2 * count.with_tab[side] <= count.pairs) continue;
        found.push_back(fmt::format(
            "{}: {} of {} lines have a tab; if these are columns of a table, cut the one that is "
            "meant out into a file of its own (cut -f1 FILE)",
            parts[part].sides[side].path(0).string(), format_count(count.with_tab[side]),
            format_count(count.pairs)));
      }
    }
  }

 private:
  struct Count {
    int64_t pairs;
    std::vector<int64_t> with_tab;  // of each side
  };
  std::vector<bool> expected_;
  std::vector<Count> counts_;
};

}  // namespace

std::unique_ptr<PairCheck> tab_check(size_t parts, std::vector<bool> tabs_expected) {
  return std::make_unique<TabCheck>(parts, std::move(tabs_expected));
}

}  // namespace heed
