#include "data/example.h"

#include <algorithm>

namespace heed {

int64_t longest_source(const Example& example) {
  int64_t longest = 0;
  for (const Ids& source : example.sources)
    longest = std::max<int64_t>(longest, std::ssize(source));
  return longest;
}

int64_t longer_side(const Example& example) {
  return std::max<int64_t>(longest_source(example), std::ssize(example.target));
}

}  // namespace heed
