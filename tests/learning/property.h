// Properties that mechanisms have besides accuracy, asserted for trained models.
#pragma once

#include "row.h"

namespace heed {

using Network = std::shared_ptr<Seq2Seq>;

// Many weights of readable positions are exactly 0.
void has_exact_zeros(const Row& row, const Network& network);
// No weight is more than e^2β times another, because a cosine is between -1 and 1.
void has_bounded_scores(const Row& row, const Network& network);
// Queries and keys have different widths, which dot refuses.
void compares_unequal_widths(const Row& row, const Network& network);
// The decoder state does not grow with the source, nor with the number of decoded tokens.
void keeps_a_state_of_one_size(const Row& row, const Network& network);
void keeps_a_source_in_one_size(const Row& row, const Network& network);
void keeps_a_past_in_one_size(const Row& row, const Network& network);
// A closed gate keeps out the context.
void closes_its_gate(const Row& row, const Network& network);
// Keys and values of several heads are stored once: the decoder state is less than half of that of
// the other model.
void keeps_a_smaller_state(const Row& row, const Network& network);
// Target token t has no weight on source tokens behind the first t.
void reads_with_the_target(const Row& row, const Network& network);
// Longer queries and keys have the same weights.
void ignores_lengths(const Row& row, const Network& network);
// The norms around the sublayers have gains alone.
void has_norms_without_bias(const Row& row, const Network& network);
// The weights of a query sum to less than 1.
void sums_below_one(const Row& row, const Network& network);
// λ of the differences is not that of the beginning.
void learns_its_lambda(const Row& row, const Network& network);
// The accuracy falls if no head reads scores and weights of others.
void relies_on_other_heads(const Row& row, const Network& network);
// The accuracy falls without the projection of the values, or without the iterations of routing.
void relies_on_values_of_their_own(const Row& row, const Network& network);
void relies_on_agreement(const Row& row, const Network& network);
// The ponder cost after the second number is greater where a sum is asked for than where the first
// number is.
void ponders_longer_over_sums(const Row& row, const Network& network);
// The task is still learned.
void is_still_right(const Row& row, const Network& network);

// Percentage of the pairs of positions in a sentence between which no weight is read.
double pairs_left_unread(const Network& network, const std::vector<Example>& examples);
// Percentage of the examples whose last target symbol is the most probable one.
double right_last_symbols(const Network& network, const std::vector<Example>& examples);
// Difference of the heads in the quantity that their loss compares, in %.
double difference_of_heads(const Network& network, const std::vector<Example>& examples);

}  // namespace heed
