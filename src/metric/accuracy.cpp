#include "metric/accuracy.h"

#include <algorithm>

#include "base/error.h"
#include "metric/words.h"

namespace heed {

namespace {

// {right positions, positions}
Statistics compare(const std::vector<std::string_view>& hypothesis,
                   const std::vector<std::string_view>& reference) {
  double right = 0;
  const size_t common = std::min(hypothesis.size(), reference.size());
  for (size_t i = 0; i < common; ++i) right += hypothesis[i] == reference[i];
  return {right, static_cast<double>(std::max(hypothesis.size(), reference.size()))};
}

// Share of right positions; 1 for two empty texts, which are equal.
double share(const Statistics& figures) { return figures[1] > 0 ? figures[0] / figures[1] : 1; }

}  // namespace

std::string ExactMatch::signature(size_t references) const {
  return fmt::format("nrefs:{}|{}|version:heed-{}", references, letter_case_.signature(),
                     HEED_VERSION);
}

Statistics ExactMatch::statistics(std::string_view hypothesis,
                                  const LineReferences& references) const {
  const std::string given = letter_case_.apply(strip(hypothesis));
  const bool right = std::any_of(references.begin(), references.end(), [&](const auto reference) {
    return letter_case_.apply(strip(reference)) == given;
  });
  return {right ? 1.0 : 0.0, 1.0};
}

Score ExactMatch::from_sum(const Statistics& sum) const {
  HEED_CHECK(sum.size() == 2 && sum[1] > 0);
  const double value = 100 * sum[0] / sum[1], error = 100 - value;
  return {value,
          fmt::format("(equal = {:.0f} lines = {:.0f} error = {:.1f})", sum[0], sum[1], error),
          {{"equal", sum[0]}, {"lines", sum[1]}, {"error", error}}};
}

std::string WordAccuracy::caveat(const Lines&, const References& references) const {
  return caveat_of_unspaced(references, "use chrf, or put spaces between words or characters");
}

std::string WordAccuracy::signature(size_t references) const {
  return fmt::format("nrefs:{}|{}|tok:none|per:longer|version:heed-{}", references,
                     letter_case_.signature(), HEED_VERSION);
}

Statistics WordAccuracy::statistics(std::string_view hypothesis,
                                    const LineReferences& references) const {
  const std::string given = letter_case_.apply(hypothesis);
  const auto words = words_of(given);
  Statistics best;
  for (const auto& reference : references) {
    const std::string wanted = letter_case_.apply(reference);
    const Statistics line = compare(words, words_of(wanted));
    if (best.empty() || share(line) > share(best)) best = line;
  }
  return best;
}

Score WordAccuracy::from_sum(const Statistics& sum) const {
  return {100 * share(sum),
          fmt::format("(right = {:.0f} words = {:.0f})", sum[0], sum[1]),
          {{"right", sum[0]}, {"words", sum[1]}}};
}

}  // namespace heed
