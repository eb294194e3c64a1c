// Copyable pieces of a sentence, as if the pieces with odd ids were missing in the target
// vocabulary.
#pragma once

#include <algorithm>
#include <string>

#include "data/copyable.h"

namespace heed {

// The piece with id 4 + n is called wn.
inline Copyable without_odd_ids(const Ids& source, int64_t vocabulary) {
  Copyable result;
  for (const int32_t id : source) {
    auto& behind = result.behind;
    const std::string piece = "w" + std::to_string(id - kSpecials);
    if (id % 2 == 1 && std::find(behind.begin(), behind.end(), piece) == behind.end())
      behind.push_back(piece);
    const auto index = std::find(behind.begin(), behind.end(), piece) - behind.begin();
    result.ids.push_back(id % 2 == 1 ? static_cast<int32_t>(vocabulary + index) : id);
  }
  return result;
}

}  // namespace heed
