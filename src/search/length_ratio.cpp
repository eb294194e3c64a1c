#include "search/length_ratio.h"

#include <algorithm>
#include <cmath>

namespace heed {

double round_up_length_ratio(double ratio) {
  return std::min(kMostLengthRatio, std::ceil(2 * ratio) / 2);
}

}  // namespace heed
