#include "metric/word_error_rate.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "metric/words.h"

namespace heed {

namespace {

using Words = std::vector<std::string_view>;

size_t edit_distance(const Words& a, const Words& b) {
  std::vector<size_t> row(b.size() + 1);  // of the first i words of a, to the first j of b
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t exchange = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, exchange});
    }
  }
  return row.back();
}

double rate(const Statistics& figures) { return figures[0] / std::max(figures[1], 1.0); }

}  // namespace

std::string WordErrorRate::signature(size_t references) const {
  return fmt::format("nrefs:{}|tok:none|version:heed-{}", references, HEED_VERSION);
}

Statistics WordErrorRate::statistics(std::string_view hypothesis,
                                     const LineReferences& references) const {
  const Words words = words_of(hypothesis);
  Statistics best;
  for (const auto reference : references) {
    const Words wanted = words_of(reference);
    const Statistics line{static_cast<double>(edit_distance(words, wanted)),
                          static_cast<double>(wanted.size())};
    if (best.empty() || rate(line) < rate(best)) best = line;
  }
  return best;
}

Score WordErrorRate::from_sum(const Statistics& sum) const {
  return {100 * rate(sum),
          fmt::format("(edits = {:.0f} words = {:.0f})", sum[0], sum[1]),
          {{"edits", sum[0]}, {"words", sum[1]}}};
}

}  // namespace heed
