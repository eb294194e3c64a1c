// Lines that belong together but stand apart: one side lacks a line, or has one too many, so that
// all that follow are paired with a neighbour. Long sentences have long translations, so the lengths
// of the pairs correlate (Gale and Church 1993); if they do so clearly better at another offset, the
// lines are shifted. Looked at block by block, since a shift may begin anywhere.
#include <cmath>

#include "base/log.h"
#include "data/checks/pair_check.h"

namespace heed {

namespace {

constexpr size_t kBlock = 1000;
constexpr size_t kFewest = 100;  // pairs that say something
constexpr int kFarthest = 5;
constexpr double kCorrelated = 0.4, kClearly = 0.3;

// Pearson's correlation of source[i] and target[i + offset], as far as both go.
double correlation(const std::vector<double>& source, const std::vector<double>& target,
                   int offset) {
  const auto size = static_cast<int>(source.size());
  const int begin = std::max(0, -offset), end = std::min(size, size - offset);
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (int i = begin; i < end; ++i) {
    const double a = source[i], b = target[i + offset];
    ++n, x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
  }
  const double spread = (n * xx - x * x) * (n * yy - y * y);
  return spread > 0 ? (n * xy - x * y) / std::sqrt(spread) : 0;
}

// The offset at which a block fits clearly better, else 0.
int better_offset(const std::vector<double>& source, const std::vector<double>& target) {
  if (source.size() < kFewest) return 0;
  int best = 0;
  double best_value = std::max(correlation(source, target, 0) + kClearly, kCorrelated);
  for (int offset = -kFarthest; offset <= kFarthest; ++offset) {
    const double value = offset == 0 ? 0 : correlation(source, target, offset);
    if (value > best_value) best = offset, best_value = value;
  }
  return best;
}

class ShiftCheck final : public PairCheck {
 public:
  explicit ShiftCheck(size_t parts) : parts_(parts) {}

  void see(size_t part, int64_t number, const Lines& lines) override {
    Part& p = parts_[part];
    if (lines.size() < 2) return;
    p.source.push_back(static_cast<double>(lines.front().size()));
    p.target.push_back(static_cast<double>(lines.back().size()));
    if (p.source.size() == kBlock) p.end_block(number);
  }

  void report(const std::vector<TextPart>& parts, Lines& found) const override {
    for (size_t part = 0; part < parts.size(); ++part) {
      Part p = parts_[part];
      p.end_block(parts[part].lines());
      if (p.shifted == 0) continue;
      found.push_back(fmt::format(
          "{}: lines look shifted: from about line {} on, the lengths of source and target fit "
          "better if source line N goes with target line N{:+}; is there a line too many or too "
          "few before it?",
          parts[part].name, format_count(p.first_line), p.shifted));
    }
  }

 private:
  struct Part {
    std::vector<double> source, target;  // bytes of the lines of this block
    int shifted = 0;                     // of the first block that is
    int64_t first_line = 0;
    void end_block(int64_t last_line) {
      if (shifted == 0) {
        shifted = better_offset(source, target);
        first_line = last_line - static_cast<int64_t>(source.size()) + 1;
      }
      source.clear(), target.clear();
    }
  };
  std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<PairCheck> shift_check(size_t parts) { return std::make_unique<ShiftCheck>(parts); }

}  // namespace heed
