// Significance tests of two systems that were each trained several times, with different seeds.
#pragma once

#include <cstddef>

#include "metric/comparison.h"

namespace heed {

// Number of seeds below which a test says too little: Clark et al. 2011 ("Better hypothesis testing
// for statistical machine translation: controlling for optimizer instability") advise
// three replications or more.
inline constexpr size_t kFewestReplications = 3;

// Translations of a test set: texts.systems has those of the baseline, one for each seed, then as
// many of the other system. References are those of one text.
//
// Randomization: stratified approximate randomization over all seeds, as in MultEval. The texts of
// all seeds count as one, and each line of it is exchanged with that of the other system, which has
// the same source, with probability 1/2. This is `heed compare --test randomization` of texts in
// which the seeds follow each other.
//
// Bootstrap: the lines of the test set are drawn with replacement, each with the translations of all
// seeds of both systems, so that the seeds do not count as further lines.
//
// Both compare the scores of the texts of all seeds together. With one seed, both are the tests of
// `heed compare`.
double replicated_p_value(const Metric& metric, const ComparedTexts& texts,
                          const Significance& significance);

}  // namespace heed
