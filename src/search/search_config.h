// How translations are searched for: the `search` section of a config, kept with the model, so that
// what translates it later starts from what it was validated with.
#pragma once

#include <cstdint>

#include "config/fields.h"

namespace heed {

struct SearchConfig final : Settings {
  int64_t beam = 5;
  // α and β of GNMT: score = log p / ((5 + |Y|) / 6)^α + β · coverage   (Wu et al. 2016, eq. 14);
  // |Y| with kEnd
  double length_penalty = 1.0;
  double coverage_penalty = 0;
  int64_t min_length = 0;         // target tokens, without kEnd
  double max_length_ratio = 2.0;  // at most ratio · source tokens + extra target tokens
  int64_t max_length_extra = 10;
  double patience = 1.0;
  bool allow_unknown = true;    // whether kUnknown may be produced
  int64_t no_repeat_ngram = 0;  // no n target tokens come twice in a row of them; 0: they may
  int64_t nbest = 1;            // translations of each sentence, at most beam; no key of a config
  void fields(Fields& f) const override;

  // Of a target whose source has so many tokens (of several sources the longest).
  int64_t max_length(int64_t source_tokens) const;
  // The score of a hypothesis of `tokens` tokens with kEnd. coverage: at most 0, which is that of
  // one that has read all of its source (search/coverage.h).
  double score(double log_probability, int64_t tokens, double coverage = 0) const;
};

}  // namespace heed
