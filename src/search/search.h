// Beam search (greedy is beam 1) over one model or an ensemble; knows nothing of their insides.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "config/fields.h"
#include "model/seq2seq.h"

namespace heed {

struct SearchConfig final : Settings {
  int64_t beam = 5;
  double length_penalty = 1.0;          // α of GNMT: score = log p / ((5 + |Y|) / 6)^α   (Wu et al. 2016, eq. 14)
  int64_t min_length = 0;               // target tokens, without kEnd
  double max_length_ratio = 2.0;        // at most ratio · source tokens + extra target tokens
  int64_t max_length_extra = 10;
  int64_t nbest = 1;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
};

struct Hypothesis {
  Ids ids;                              // without kBegin and kEnd
  double log_probability = 0;           // of ids and kEnd
  double score = 0;                     // what the order is by
  bool finished = true;                 // false: cut at the maximum length
  // weights[t][s] of the first attention, mean over heads, a row for each of ids and kEnd; only if they were asked for.
  std::vector<std::vector<float>> attention;
};

// For each sentence of the batch its best `nbest` hypotheses, best first. Ties go to the lower id, so a result does not
// depend on the rest of the batch but for rounding.
std::vector<std::vector<Hypothesis>> search(const std::vector<std::shared_ptr<Seq2Seq>>& models,
                                            const SourceBatches& sources, const SearchConfig& config,
                                            bool keep_attention = false);

}  // namespace heed
