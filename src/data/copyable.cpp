#include "data/copyable.h"

#include <algorithm>

#include "base/error.h"

namespace heed {

Copyable copyable(const std::vector<std::string>& source_pieces, const Vocabulary& target) {
  Copyable result;
  const auto size = static_cast<int32_t>(target.size());
  for (const std::string& piece : source_pieces) {
    const int32_t id = target.id(piece);
    if (id >= kSpecials) {
      result.ids.push_back(id);
      continue;
    }
    auto known = std::find(result.behind.begin(), result.behind.end(), piece);
    if (known == result.behind.end()) known = result.behind.insert(known, piece);
    result.ids.push_back(size + static_cast<int32_t>(known - result.behind.begin()));
  }
  return result;
}

Ids with_copied(Ids ids, const std::vector<std::string>& pieces, const Copyable& source,
                const Vocabulary& target) {
  HEED_CHECK(ids.size() == pieces.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] != kUnknown) continue;
    const auto known = std::find(source.behind.begin(), source.behind.end(), pieces[i]);
    if (known != source.behind.end())
      ids[i] = static_cast<int32_t>(target.size() + (known - source.behind.begin()));
  }
  return ids;
}

}  // namespace heed
