#include "search/search_config.h"

#include <algorithm>
#include <cmath>

#include "config/sizes.h"
#include "search/length_ratio.h"

namespace heed {

namespace {

const Words<LengthNormalization> kLengthNormalizations = {{"gnmt", LengthNormalization::kGnmt},
                                                          {"plain", LengthNormalization::kPlain}};

}  // namespace

void SearchConfig::fields(Fields& f) {
  f.field("beam", beam, kBeams, "beam size; 1 is greedy search");
  f.field("length_penalty", length_penalty, Range{0, 100},
          "α of the length penalty, which the log-probability is divided by; 0 turns it off");
  f.choice("length_normalization", length_normalization, kLengthNormalizations,
           "the length penalty: gnmt, ((5 + length) / 6)^α (Wu 2016), or plain, length^α");
  f.field("coverage_penalty", coverage_penalty, kWeights,
          "β of GNMT's coverage penalty (Wu 2016: 0.2), from the decoder's last attention over the "
          "source; 0 turns it off");
  f.field("min_length", min_length, kLengthsOrNone, "minimum number of target tokens");
  f.field("min_new_tokens", min_new_tokens, kLengthsOrNone,
          "minimum number of target tokens behind a given prefix and the token of a language");
  f.field("max_length_ratio", max_length_ratio, Range{0, kMostLengthRatio},
          "maximum length: target tokens per source token");
  f.field("max_length_extra", max_length_extra, kLengths,
          "maximum length: target tokens added to ratio × source length");
  f.field("max_source_length", max_source_length, kLengths,
          "maximum number of source tokens: a longer line is cut, with a warning; ~: 2048, or the "
          "longest source of the training where that is longer");
  f.field("patience", patience, Range{0, 1000, true},
          "the search ends when patience × beam hypotheses have finished and none that is "
          "unfinished has a better score");
  f.field("allow_unknown", allow_unknown, "whether <unk> may be generated");
  f.field("diversity_groups", diversity_groups, kBeams,
          "diverse beam search (Vijayakumar 2016): the beam is divided into this number of groups, "
          "each of which avoids the tokens of the groups before it; 1 turns it off");
  f.field("diversity_strength", diversity_strength, kWeights,
          "λ of diverse beam search: subtracted from a token's log-probability for each hypothesis "
          "of the groups before that has it at the same position");
  f.field("no_repeat_ngram", no_repeat_ngram, kLengthsOrNone,
          "n-gram blocking: no n-gram of this length is generated twice (Paulus 2018: 3); 0 turns "
          "it off");
  f.field("repetition_penalty", repetition_penalty, Range{1, 100},
          "θ (Keskar 2019): the log-probability of a token that the translation has already is "
          "multiplied by it, as in the beam search of transformers; 1 turns it off");
  f.list("suppress_tokens", suppress_tokens,
         "tokens of the target vocabulary that are never generated");
  f.list("begin_suppress_tokens", begin_suppress_tokens,
         "tokens of the target vocabulary that are not generated first, behind a given prefix; "
         "with </s> no translation is empty");
  f.field(
      "distinct", distinct,
      "n-best lists have each text once: of translations that are the same text in other tokens, "
      "the best");
  f.peers("beam", {.joeynmt = "testing.beam_size", .opennmt = "beam_size", .marian = "beam-size"});
  f.peers(
      "length_penalty",
      {.joeynmt = "testing.beam_alpha", .opennmt = "length_penalty: wu, alpha", .also = "alpha"});
  f.peers("length_normalization: plain",
          {.opennmt = "length_penalty: avg", .marian = "normalize", .also = "normalize"});
  f.peers("coverage_penalty", {.opennmt = "coverage_penalty: wu, beta"});
  f.peers("min_length", {.joeynmt = "testing.min_output_length", .opennmt = "min_length"});
  f.peers("max_length_ratio", {.opennmt = "max_length_ratio",
                               .marian = "max-length-factor",
                               .note = "with `max_length_extra: 0`"});
  f.peers("no_repeat_ngram",
          {.joeynmt = "testing.no_repeat_ngram_size", .opennmt = "block_ngram_repeat"});
  f.peers("repetition_penalty", {.joeynmt = "testing.repetition_penalty"});
  f.affects(Effect::kSamples, {"max_length_ratio", "max_length_extra"});
}

// The memory of a Transformer is quadratic in the length.
int64_t SearchConfig::longest_source(const std::optional<int64_t>& trained) const {
  constexpr int64_t kUsual = 2048;
  return max_source_length.value_or(std::max(kUsual, trained.value_or(0)));
}

int64_t SearchConfig::max_length(int64_t source_tokens) const {
  const double by_ratio = std::floor(max_length_ratio * static_cast<double>(source_tokens));
  const double longest = by_ratio + static_cast<double>(max_length_extra);
  return std::max(std::min(static_cast<int64_t>(longest), kLengths.high), min_length);
}

double SearchConfig::length_divisor(int64_t tokens) const {
  const auto length = static_cast<double>(tokens);
  const bool is_plain = length_normalization == LengthNormalization::kPlain;
  const double base = is_plain ? std::max(length, 1.0) : (5.0 + length) / 6.0;
  return std::pow(base, length_penalty);
}

double SearchConfig::score(double log_probability, int64_t tokens, double coverage) const {
  return log_probability / length_divisor(tokens) + coverage_penalty * coverage;
}

}  // namespace heed
