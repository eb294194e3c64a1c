#include "metric/word_error_rate.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "metric/edit_distance.h"
#include "metric/ngrams.h"
#include "metric/words.h"

namespace heed {

namespace {

// As jiwer has them: words end at a space, or where several characters of white space follow each
// other; a single one that is no space, such as U+00A0, is a part of its word.
std::vector<std::string_view> spaced_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (const std::string_view part : words_of(text)) {
    const char* begin = words.empty() ? part.data() : words.back().data();
    const char* end = words.empty() ? part.data() : begin + words.back().size();
    const std::string_view between(end, static_cast<size_t>(part.data() - end));
    if (words.empty() || between == " " || std::ranges::distance(code_points(between)) > 1)
      words.push_back(part);
    else
      words.back() = {begin, static_cast<size_t>(part.data() + part.size() - begin)};
  }
  return words;
}

double rate(const Statistics& figures) { return figures[0] / std::max(figures[1], 1.0); }

}  // namespace

std::string WordErrorRate::signature(size_t references) const {
  return fmt::format("nrefs:{}|tok:none|version:heed-{}", references, HEED_VERSION);
}

Statistics WordErrorRate::statistics(std::string_view hypothesis,
                                     const LineReferences& references) const {
  WordIds ids;
  const auto words = ids.of(spaced_words(hypothesis));
  Statistics best;
  for (const auto reference : references) {
    const auto wanted = ids.of(spaced_words(reference));
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
