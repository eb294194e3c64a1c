// Links between the words of a sentence pair, and the symmetrization of two directions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heed {

using Links = std::vector<std::pair<int32_t, int32_t>>;  // source word, target word, from 0

// How links of both directions become one alignment (Och and Ney 2003; Koehn, Och and Marcu 2003).
enum class Symmetrization { kIntersection, kUnion, kGrowDiag, kGrowDiagFinal, kGrowDiagFinalAnd };

// Sorted. forward, reverse: links of the two directions, in any order.
Links symmetrize(Links forward, Links reverse, Symmetrization how);

}  // namespace heed
