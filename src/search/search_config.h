// Settings of beam search: the `search` section of a config. Saved with the model, so that
// translation has the settings of validation as defaults.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"
#include "search/sampling.h"

namespace heed {

// Divisor of the log-probability of |Y| tokens with kEnd.
enum class LengthNormalization {
  kGnmt,   // ((5 + |Y|) / 6)^α   (Wu et al. 2016, eq. 14)
  kPlain,  // |Y|^α
};

struct SearchConfig final : Settings {
  int64_t beam = 5;
  // α and β of GNMT: score = log p / normalization^α + β · coverage   (Wu et al. 2016, eq. 14)
  double length_penalty = 1.0;
  LengthNormalization length_normalization = LengthNormalization::kGnmt;
  double coverage_penalty = 0;
  int64_t min_length = 0;         // target tokens, without kEnd
  int64_t min_new_tokens = 0;     // the same without the tokens of a given prefix
  double max_length_ratio = 2.0;  // at most ratio · source tokens + extra target tokens
  int64_t max_length_extra = 10;
  std::optional<int64_t> max_source_length;  // number of source tokens read from a line
  double patience = 1.0;
  bool allow_unknown = true;        // whether kUnknown may be produced
  int64_t diversity_groups = 1;     // G of diverse beam search (search/diverse_beam.h)
  double diversity_strength = 0.5;  // λ
  int64_t no_repeat_ngram = 0;      // block repeated target n-grams of this n; 0: off
  double repetition_penalty = 1;    // θ of search/repetition_penalty.h
  // Tokens of the target vocabulary that are never generated, or not as the first token.
  std::vector<std::string> suppress_tokens{}, begin_suppress_tokens{};
  bool distinct = false;  // n-best lists contain each text once (translate/translated.h)
  // Keys that do not apply to sampling.
  static constexpr const char* kOfBeamSearch[] = {
      "beam", "patience", "coverage_penalty", "diversity_groups", "diversity_strength", "distinct"};
  std::optional<SamplingOptions> sampling{};  // instead of beam search; no key of a config
  int64_t nbest = 1;  // translations of each sentence, at most beam, or samples; no key of a config
  void fields(Fields& f) override;

  // Number of hypotheses of a sentence at a time.
  int64_t hypotheses() const { return sampling ? nbest : beam; }
  // Number of source tokens that are read. trained: length of the longest source in training, if
  // known.
  int64_t longest_source(const std::optional<int64_t>& trained) const;
  // Maximum length of a target, from the number of tokens of its (longest) source.
  int64_t max_length(int64_t source_tokens) const;
  // The length penalty of a hypothesis of `tokens` tokens with kEnd.
  double length_divisor(int64_t tokens) const;
  // The score of a hypothesis of `tokens` tokens with kEnd. coverage: at most 0, the value of full
  // coverage (search/coverage.h).
  double score(double log_probability, int64_t tokens, double coverage = 0) const;
};

}  // namespace heed
