// The best choices of one item from each of several lists, by the sum of their scores.
#pragma once

#include <cstddef>
#include <vector>

namespace heed {

// scores[i]: of the items of list i, none of which is empty. At most `most` choices, the greatest sum
// first, each with the place of its item in every list; of equal sums the one whose items stand earlier
// comes first.
std::vector<std::vector<size_t>> best_sums(const std::vector<std::vector<double>>& scores,
                                           size_t most);

}  // namespace heed
