// Finds lines of a table or of JSON lines that are read as sentences.
#include <algorithm>

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
    count.json += std::ranges::all_of(lines, is_json);
  }

  void report(const std::vector<TextPart>& parts, Lines& found) const override {
    for (size_t part = 0; part < parts.size(); ++part) {
      const Count& count = counts_[part];
      if (2 * count.json > count.pairs)
        found.push_back(
            fmt::format("{}: {} of {} lines are JSON objects, and are read as sentences; if their "
                        "texts are meant, name the keys of both sides: {{jsonl: {}, source: KEY, "
                        "target: KEY}}",
                        parts[part].name, format_count(count.json), format_count(count.pairs),
                        parts[part].sides.front().path(0).string()));
      for (size_t side = 0; side < count.with_tab.size(); ++side) {
        if (expected_[side] || 2 * count.with_tab[side] <= count.pairs) continue;
        found.push_back(
            fmt::format("{0}: {1} of {2} lines have a tab; if these are columns of a table, name "
                        "them: {{tsv: {0}, source: 1, target: 2}}, or cut the one that is meant "
                        "out into a separate file (cut -f1 FILE)",
                        parts[part].sides[side].path(0).string(),
                        format_count(count.with_tab[side]), format_count(count.pairs)));
      }
    }
  }

 private:
  struct Count {
    int64_t pairs;
    std::vector<int64_t> with_tab;  // of each side
    int64_t json = 0;               // pairs of objects
  };
  static bool is_json(const std::string& line) {
    return line.starts_with("{\"") && line.ends_with('}');
  }
  std::vector<bool> expected_;
  std::vector<Count> counts_;
};

}  // namespace

std::unique_ptr<PairCheck> tab_check(size_t parts, std::vector<bool> tabs_expected) {
  return std::make_unique<TabCheck>(parts, std::move(tabs_expected));
}

}  // namespace heed
