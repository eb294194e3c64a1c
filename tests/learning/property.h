// What mechanisms are for beside being right: asserted of models that have learned with them.
#pragma once

#include "row.h"

namespace heed {

using Network = std::shared_ptr<Seq2Seq>;

// Weights of readable positions are exactly 0, many of them.
void has_exact_zeros(const Row& row, const Network& network);
// No weight is more than e^2β times another: a cosine lies between -1 and 1.
void has_bounded_scores(const Row& row, const Network& network);
// Queries and keys of other widths than each other, which dot refuses.
void compares_unequal_widths(const Row& row, const Network& network);
// A decoder holds no more of a long source, and no more of its own past, than of a short one.
void keeps_a_state_of_one_size(const Row& row, const Network& network);
void keeps_a_source_in_one_size(const Row& row, const Network& network);
// What was read is kept out by a gate that is shut.
void closes_its_gate(const Row& row, const Network& network);
// It is not right without what was learned for the values alone, or without the rounds of
// agreement.
void relies_on_values_of_their_own(const Row& row, const Network& network);
void relies_on_agreement(const Row& row, const Network& network);
// What is asked for is still learned.
void is_still_right(const Row& row, const Network& network);

// Percentage of the pairs of positions in a sentence of which the one does not read the other at
// all, in %.
double pairs_left_unread(const Network& network, const std::vector<Example>& examples);
// How often the last symbol of the target is the most probable one there, in %.
double right_last_symbols(const Network& network, const std::vector<Example>& examples);
// By how much the heads differ in what their loss compares, in %.
double difference_of_heads(const Network& network, const std::vector<Example>& examples);

}  // namespace heed
