#include "clean/ngram_classifier.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "base/unicode/unicode.h"
#include "base/utf8.h"

namespace heed {

namespace {

constexpr size_t kOrders = 4;
constexpr size_t kSlots = size_t{1} << 18;

// Letters in lower case, with one space for what is between them and at both ends.
std::u32string letters_of(const SideLine& line) {
  std::string kept = " ";
  const size_t size = std::min(kMostClassified, line.characters.size());
  for (const char32_t c : std::u32string_view(line.characters).substr(0, size)) {
    if (is_of_kind(c, CharacterKind::kLetter) || is_mark(c)) {
      append_code_point(kept, c);
    } else if (!kept.ends_with(' ')) {
      kept += ' ';
    }
  }
  if (!kept.ends_with(' ')) kept += ' ';
  const std::string lower = lower_case(kept);
  std::u32string letters;
  for (size_t offset = 0; offset < lower.size();) letters += next_code_point(lower, offset).value();
  return letters;
}

}  // namespace

NgramClassifier::NgramClassifier(size_t classes)
    : classes_(classes), counts_(classes * kSlots), totals_(classes) {}

std::vector<NgramClassifier::Counted> NgramClassifier::ngrams(const SideLine& line) {
  const std::u32string letters = letters_of(line);
  std::vector<uint32_t> all;
  for (size_t begin = 0; begin < letters.size(); ++begin) {
    uint64_t hash = 0;
    for (size_t i = begin; i < std::min(begin + kOrders, letters.size()); ++i) {
      hash = mix64(hash ^ letters[i]);
      if (letters[i] != U' ' || i > begin) all.push_back(static_cast<uint32_t>(hash % kSlots));
    }
  }
  std::ranges::sort(all);
  std::vector<Counted> counted;
  for (const uint32_t ngram : all) {
    if (counted.empty() || counted.back().ngram != ngram) counted.push_back({ngram, 0});
    ++counted.back().count;
  }
  return counted;
}

void NgramClassifier::add(size_t which, const SideLine& line) {
  for (const Counted& counted : ngrams(line)) {
    counts_[counted.ngram * classes_ + which] += counted.count;
    totals_[which] += counted.count;
  }
}

NgramClassifier::Scores NgramClassifier::scores(const SideLine& line,
                                                std::optional<size_t> left_out) const {
  constexpr double kSmoothing = 0.5;
  const std::vector<Counted> line_ngrams = ngrams(line);
  double own = 0;
  for (const Counted& counted : line_ngrams) own += counted.count;
  Scores scores{std::vector<double>(classes_), own / kOrders};
  for (size_t which = 0; which < classes_; ++which) {
    const bool is_left_out = which == left_out;
    const double total = totals_[which] - (is_left_out ? own : 0) + kSmoothing * kSlots;
    for (const auto& [ngram, count] : line_ngrams) {
      const double others =
          static_cast<double>(counts_[ngram * classes_ + which]) - (is_left_out ? count : 0);
      // Each letter is in an n-gram of every order.
      scores.log_likelihoods[which] += count * std::log((others + kSmoothing) / total) / kOrders;
    }
  }
  return scores;
}

}  // namespace heed
