#include "metric/word_error_rate.h"

#include <algorithm>

#include "base/error.h"
#include "metric/edit_distance.h"
#include "metric/ngrams.h"
#include "metric/words.h"

namespace heed {

namespace {

double rate(const Statistics& figures) { return figures[0] / std::max(figures[1], 1.0); }

}  // namespace

std::string WordErrorRate::caveat(const Lines&, const References& references) const {
  return caveat_of_unspaced(references, "use chrf, or put spaces between words or characters");
}

std::string WordErrorRate::signature(size_t references) const {
  return fmt::format("nrefs:{}|{}|tok:none|version:heed-{}", references, letter_case_.signature(),
                     HEED_VERSION);
}

Statistics WordErrorRate::statistics(std::string_view hypothesis,
                                     const LineReferences& references) const {
  WordIds ids;
  const auto words = ids.of(words_of(letter_case_.apply(hypothesis)));
  Statistics best;
  for (const auto reference : references) {
    const auto wanted = ids.of(words_of(letter_case_.apply(reference)));
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
