// Beam search (greedy is beam 1) over one model or an ensemble.
//
// For each sentence the `beam` best unfinished hypotheses are kept. A step computes the 2·beam best
// continuations: those among the first `beam` that end are finished, the first `beam` others are kept.
// The search of a sentence ends
//   - when patience·beam finished hypotheses have a score no worse than the current score of the best
//     unfinished one; patience is the factor of Kasai et al. 2022. Counting all finished hypotheses
//     would stop at improbable short ones while the only probable translation is unfinished,
//   - or when `nbest` are finished and no unfinished one can exceed the worst of these: its
//     log-probability only decreases, its length is at most the maximum and its coverage at most 0,
//   - or at the maximum length.
// The penalties of length and coverage are part of the score of a finished hypothesis (Wu et al. 2016,
// section 7); unfinished ones are ranked by log-probability, and their current score uses the coverage
// so far.
// kPad and kBegin are never generated, nor n-grams that no_repeat_ngram forbids.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/search_config.h"
#include "model/seq2seq.h"

namespace heed {

struct Hypothesis {
  Ids ids;                     // without kBegin and kEnd
  double log_probability = 0;  // of ids and kEnd
  double score = 0;            // that hypotheses are ranked by
  // false: cut at the maximum length, where kEnd was the only choice. If kEnd had probability 0,
  // log_probability is that of ids alone.
  bool finished = true;
  // weights[t][s] over the source (alignment_of in model/decoder.h), mean over heads and models: a
  // row for each of ids and kEnd, a column for each source token and kEnd; with several sources those
  // of one. Only if requested and if the models have weights.
  std::vector<std::vector<float>> attention;
};

// For each sentence of the batch its best hypotheses, best first: `nbest` of them, fewer only if no
// more are possible, never none. Ties go to the lower id, so a result does not depend on the rest
// of the batch but for rounding. An ensemble takes the mean of the probabilities.
// A coverage penalty wants a model with weights over the source.
// Error(kModel) if a model gives probabilities that are not numbers.
std::vector<std::vector<Hypothesis>> search(const std::vector<std::shared_ptr<Seq2Seq>>& models,
                                            const SourceBatches& sources,
                                            const SearchConfig& config,
                                            bool keep_attention = false);

}  // namespace heed
