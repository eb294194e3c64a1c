// Values of search.max_length_ratio that heed proposes.
#pragma once

namespace heed {

inline constexpr double kMostLengthRatio = 1000;  // that the key may have

// The next half, or the most that the key may have.
double round_up_length_ratio(double ratio);

}  // namespace heed
