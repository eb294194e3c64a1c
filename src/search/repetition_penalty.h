// The repetition penalty of CTRL (Keskar et al. 2019, section 4.1) as the beam search of transformers
// has it (RepetitionPenaltyLogitsProcessor):
//   log p'(y) = θ · log p(y)  where y is a token of the hypothesis, else log p(y)
// Tokens of a given prefix and of the language count as tokens of the hypothesis, kBegin does not.
// p' is not normalized; a token that is forced keeps its p. The paper divides logits by θ. That
// depends on which logit is 0, and models that mix distributions have no logits.
#pragma once

#include <span>
#include <vector>

#include "search/engine.h"
#include "text/vocabulary.h"

namespace heed {

// so_far: the tokens of the hypothesis of this row. Puts the row into the order of the new values.
// For θ >= 1 its first k are right if the row had k + |so_far| tokens before.
void penalize_repetitions(double theta, const Ids& so_far, int64_t row, TopK& best);

// The penalized log-probabilities of all tokens, by id.
std::vector<float> penalized_repetitions(double theta, const Ids& so_far,
                                         std::span<const float> log_probabilities);

}  // namespace heed
