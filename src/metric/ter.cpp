#include "metric/ter.h"

#include <algorithm>

#include "base/error.h"
#include "metric/ngrams.h"
#include "metric/shifted_edits.h"
#include "metric/words.h"

namespace heed {

std::string TranslationEditRate::caveat(const Lines&, const References& references) const {
  if (options_.normalized && options_.asian_support) return "";
  return caveat_of_unspaced(references,
                            "use --ter-normalized and --ter-asian-support for Chinese, or chrf");
}

std::string TranslationEditRate::signature(size_t references) const {
  const auto yes = [](bool value) { return value ? "yes" : "no"; };
  return fmt::format("nrefs:{}|case:{}|tok:tercom|norm:{}|punct:{}|asian:{}|version:heed-{}",
                     references, options_.case_sensitive ? "mixed" : "lc", yes(options_.normalized),
                     yes(!options_.no_punctuation), yes(options_.asian_support), HEED_VERSION);
}

Statistics TranslationEditRate::statistics(std::string_view hypothesis,
                                           const LineReferences& references) const {
  WordIds ids;
  const auto words = ids.of(words_of(tokenize_tercom(hypothesis, options_)));
  std::vector<size_t> edits;
  size_t total_words = 0;
  for (const auto reference : references) {
    // Twice, as sacreBLEU does, which may split marks that one pass leaves together.
    const std::string text = tokenize_tercom(tokenize_tercom(reference, options_), options_);
    const auto wanted = ids.of(words_of(text));
    edits.push_back(shifted_edits(words, wanted));
    total_words += wanted.size();
  }
  return {static_cast<double>(*std::min_element(edits.begin(), edits.end())),
          static_cast<double>(total_words) / static_cast<double>(references.size())};
}

Score TranslationEditRate::from_sum(const Statistics& sum) const {
  HEED_CHECK(sum.size() == 2);
  const double edits = sum[0], words = sum[1];
  const double rate = words > 0 ? edits / words : edits > 0 ? 1 : 0;
  return {100 * rate, "", {{"edits", edits}, {"words", words}}};
}

}  // namespace heed
