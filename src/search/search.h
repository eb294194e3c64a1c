// Beam search (greedy is beam 1) over one model or an ensemble; knows nothing of their insides.
//
// Of each sentence the `beam` best unfinished hypotheses live. A step gives the 2·beam best
// continuations: those among the first `beam` of them that end are finished, the first `beam`
// others live on. The search of a sentence ends
//   - when patience·beam finished hypotheses have a score no worse than the best living one has as
//     it stands. Without patience this is the usual rule of implementations that keep the `beam`
//     best finished ones; patience is the factor of Kasai et al. 2022. To count whatever is finished,
//     first come, first served, would end a search among a sure model's improbable early ends while
//     its only probable translation still lives. Beam 1 is greedy search.
//   - or when `nbest` are finished and no living one can get a better score than the worst of
//     these: its log-probability only falls, its length is at most the maximum length and its
//     coverage at most 0,
//   - or at the maximum length, where every hypothesis has to end.
// Both penalties belong to the score of a whole hypothesis, as Wu et al. 2016, section 7, have it:
// which of the unfinished live on is decided by log-probability alone, and "as it stands" the best
// living one has the coverage that it has reached.
// kPad and kBegin are never produced, nor what no_repeat_ngram forbids.
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
  double score = 0;            // what the order is by
  // false: as long as was allowed, so that its end was the only choice. Where even that had
  // probability 0, log_probability is that of ids alone.
  bool finished = true;
  // weights[t][s] of the first attention, mean over heads and models, a row for each of ids and
  // kEnd, a column for each source token and kEnd (of several sources one's); only if they were asked
  // for and the models have them.
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
