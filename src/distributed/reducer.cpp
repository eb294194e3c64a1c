#include "distributed/reducer.h"

#include <algorithm>

namespace heed {

BufferPart part_of(int64_t elements, int64_t rank, int64_t processes) {
  constexpr int64_t kAlignment = 64;
  const int64_t blocks = (elements + kAlignment - 1) / kAlignment;
  const int64_t size = (blocks + processes - 1) / processes * kAlignment;
  const int64_t begin = std::min(elements, rank * size);
  return {.begin = begin, .size = std::min(size, elements - begin)};
}

}  // namespace heed
