// Probabilities of the arcs of projective dependency trees (Kim et al. 2017, section 3.2 and
// appendix; Eisner 1996). A tree gives each word of a sentence one head, another word or the root;
// its score is the sum of its arcs, and p(tree) ∝ exp(score). The root may have several dependents.
// The algorithm is inside–outside in log space, O(n³).
#pragma once

#include "nn/tensor.h"

namespace heed {

// scores [B,n,n]: of position j as the head of position i; mask [B,n,n]: true for the arcs that a
// tree may have; roots [B]: position of the root, to the right of the words of its sentence.
// Returns p(head of i is j) [B,n,n]: 0 for the root, for positions behind it, and everywhere in a
// sentence that has no tree of these arcs.
Tensor arc_probabilities(const Tensor& scores, const Tensor& mask, const Tensor& roots);

}  // namespace heed
