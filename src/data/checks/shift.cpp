// Lines that belong together but stand apart: one side lacks a line, or has one too many, so that
// all that follow are paired with a neighbour. Long sentences have long translations, so the
// lengths of the pairs correlate (Gale and Church 1993); if they do so clearly better at another
// offset, the lines are shifted. Looked at block by block, since a shift may begin anywhere.
#include <cmath>

#include "base/log.h"
#include "data/checks/pair_check.h"

namespace heed {

namespace {

constexpr size_t kBlockLines = 1000;
constexpr size_t kFewest = 100;      // pairs that say something
constexpr int64_t kOfASet = 20'000;  // pairs of a validation or test set that are looked at
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
  ShiftCheck(size_t parts, const std::vector<ComparedSet>& sets) : parts_(parts), sets_(sets) {}

  void see(size_t part, int64_t number, const Lines& lines) override {
    parts_[part].add(number, lines);
  }

  void report(const std::vector<TextPart>& parts, Lines& found) const override {
    for (size_t part = 0; part < parts.size(); ++part) {
      Part p = parts_[part];
      p.end_block(parts[part].lines());
      warn(parts[part].name, p, found);
    }
    for (const ComparedSet& set : sets_) {
      Part p;
      const int64_t last = read_set(
          set.files, kOfASet, [&p](int64_t number, const Lines& lines) { p.add(number, lines); });
      p.end_block(last);
      warn("data." + set.name, p, found);
    }
  }

 private:
  struct Part {
    std::vector<double> source, target;  // bytes of the lines of this block
    int shifted = 0;                     // of the first block that is
    int64_t first_line = 0;
    void add(int64_t number, const Lines& lines) {
      if (lines.size() < 2) return;
      source.push_back(static_cast<double>(lines.front().size()));
      target.push_back(static_cast<double>(lines.back().size()));
      if (source.size() == kBlockLines) end_block(number);
    }
    void end_block(int64_t last_line) {
      if (shifted == 0) {
        shifted = better_offset(source, target);
        first_line = last_line - static_cast<int64_t>(source.size()) + 1;
      }
      source.clear(), target.clear();
    }
  };
  static void warn(const std::string& name, const Part& part, Lines& found) {
    if (part.shifted == 0) return;
    found.push_back(fmt::format(
        "{}: lines look shifted: from about line {} on, the lengths of source and target fit "
        "better if source line N goes with target line N{:+}; is there a line too many or too "
        "few before it?",
        name, format_count(part.first_line), part.shifted));
  }

  std::vector<Part> parts_;
  const std::vector<ComparedSet>& sets_;
};

}  // namespace

std::unique_ptr<PairCheck> shift_check(size_t parts, const std::vector<ComparedSet>& sets) {
  return std::make_unique<ShiftCheck>(parts, sets);
}

}  // namespace heed
