#include "metric/accuracy.h"

#include <algorithm>

#include "base/error.h"
#include "metric/words.h"

namespace heed {

namespace {

Score share(const Statistics& sum, const char* right, const char* all) {
  const double value = sum[1] > 0 ? 100 * sum[0] / sum[1] : 0;
  return {value,
          fmt::format("({} = {:.0f} {} = {:.0f})", right, sum[0], all, sum[1]),
          {{right, sum[0]}, {all, sum[1]}}};
}

// {right places, places}
Statistics compare(const std::vector<std::string_view>& hypothesis,
                   const std::vector<std::string_view>& reference) {
  double right = 0;
  const size_t common = std::min(hypothesis.size(), reference.size());
  for (size_t i = 0; i < common; ++i) right += hypothesis[i] == reference[i];
  return {right, static_cast<double>(std::max(hypothesis.size(), reference.size()))};
}

}  // namespace

std::string ExactMatch::signature(size_t references) const {
  return fmt::format("nrefs:{}|version:heed-{}", references, HEED_VERSION);
}

Statistics ExactMatch::statistics(std::string_view hypothesis,
                                  const LineReferences& references) const {
  const bool right =
      std::find(references.begin(), references.end(), hypothesis) != references.end();
  return {right ? 1.0 : 0.0, 1.0};
}

Score ExactMatch::from_sum(const Statistics& sum) const { return share(sum, "equal", "lines"); }

std::string WordAccuracy::signature(size_t references) const {
  return fmt::format("nrefs:{}|tok:none|version:heed-{}", references, HEED_VERSION);
}

Statistics WordAccuracy::statistics(std::string_view hypothesis,
                                    const LineReferences& references) const {
  const auto words = words_of(hypothesis);
  Statistics best;
  for (const auto& reference : references) {
    const Statistics line = compare(words, words_of(reference));
    if (best.empty() || line[0] * best[1] > best[0] * line[1]) best = line;
  }
  return best;
}

Score WordAccuracy::from_sum(const Statistics& sum) const { return share(sum, "right", "words"); }

}  // namespace heed
