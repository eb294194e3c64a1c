#include "metric/longest_common.h"

#include <algorithm>

namespace heed {

namespace {

// One row of lengths after another; `note(i, j, longer_without_b)` sees each cell before the next
// row.
template <class Note>
size_t walk(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b, Note note) {
  std::vector<uint32_t> above(b.size() + 1), row(b.size() + 1);
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = a[i - 1] == b[j - 1] ? above[j - 1] + 1 : std::max(above[j], row[j - 1]);
      note(i, j, row[j - 1] > above[j]);
    }
    std::swap(above, row);
  }
  return above.back();
}

}  // namespace

size_t longest_common_length(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  return walk(a, b, [](size_t, size_t, bool) {});
}

std::vector<size_t> longest_common_places(const std::vector<uint32_t>& a,
                                          const std::vector<uint32_t>& b) {
  const size_t width = b.size() + 1;
  std::vector<bool> drop_b((a.size() + 1) * width);
  walk(a, b, [&](size_t i, size_t j, bool longer_without_b) {
    drop_b[i * width + j] = longer_without_b;
  });
  std::vector<size_t> places;
  for (size_t i = a.size(), j = b.size(); i > 0 && j > 0;) {
    if (a[i - 1] == b[j - 1]) {
      places.push_back(--i);
      --j;
    } else if (drop_b[i * width + j]) {
      --j;
    } else {
      --i;
    }
  }
  std::reverse(places.begin(), places.end());
  return places;
}

}  // namespace heed
