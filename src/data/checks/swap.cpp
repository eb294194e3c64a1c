// Finds sets whose files are given under each other's keys: the source has the words of the
// training targets, and the target those of the training sources.
#include <unordered_set>

#include "base/log.h"
#include "base/utf8.h"
#include "data/checks/pair_check.h"

namespace heed {

namespace {

constexpr int64_t kKnownLines = 50'000, kComparedLines = 1'000;
constexpr double kClearlyBetter = 0.2;

using WordSet = std::unordered_set<std::string>;

// Share of known words in lines.
struct KnownShare {
  int64_t words = 0, known = 0;
  void add(const std::string& line, const WordSet& all) {
    for (const std::string& word : split_words(line)) ++words, known += all.contains(word);
  }
  double value() const {
    return words == 0 ? 0 : static_cast<double>(known) / static_cast<double>(words);
  }
};

// Compares the lines of one source and a target with the words of the same side and of the other
// side.
struct Fit {
  KnownShare source_own, source_other, target_own, target_other;
  void add(const Lines& lines, const WordSet& source, const WordSet& target) {
    source_own.add(lines.front(), source), source_other.add(lines.front(), target);
    target_own.add(lines.back(), target), target_other.add(lines.back(), source);
  }
  bool is_swapped() const {
    const double by_source = source_other.value() - source_own.value();
    const double by_target = target_other.value() - target_own.value();
    return (by_source + by_target) / 2 > kClearlyBetter && by_source >= 0 && by_target >= 0;
  }
};

class SwapCheck final : public PairCheck {
 public:
  explicit SwapCheck(const std::vector<ComparedSet>& sets) : sets_(sets) {}

  void see(size_t part, int64_t number, const Lines& lines) override {
    if (lines.size() != 2) return;
    if (part == 0 && number <= kKnownLines) {
      for (const std::string& word : split_words(lines.front())) source_.insert(word);
      for (const std::string& word : split_words(lines.back())) target_.insert(word);
    } else if (part > 0 && number <= kComparedLines) {
      parts_.resize(part);
      parts_[part - 1].add(lines, source_, target_);
    }
  }

  void report(const std::vector<TextPart>& parts, Lines& found) const override {
    const auto warn = [&](const std::string& name) {
      found.push_back(name +
                      ": source and target look swapped: its source has the words of the targets "
                      "of " +
                      parts.front().name + ", its target those of the sources");
    };
    for (size_t part = 0; part < parts_.size(); ++part) {
      if (!parts[part + 1].tag && parts_[part].is_swapped()) warn(parts[part + 1].name);
    }
    for (const ComparedSet& set : sets_) {
      if (set.files.tag || set.files.sides.size() != 2) continue;
      Fit fit;
      read_set(set.files, kComparedLines,
               [&](int64_t, const Lines& lines) { fit.add(lines, source_, target_); });
      if (fit.is_swapped()) warn("data." + set.name);
    }
  }

 private:
  std::vector<ComparedSet> sets_;
  WordSet source_, target_;  // of the first corpus
  std::vector<Fit> parts_;   // of the other corpora
};

}  // namespace

std::unique_ptr<PairCheck> swap_check(const std::vector<ComparedSet>& sets) {
  return std::make_unique<SwapCheck>(sets);
}

}  // namespace heed
