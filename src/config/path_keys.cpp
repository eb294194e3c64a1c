#include "config/paths.h"

#include <algorithm>

namespace heed {

bool PathKeys::start_from(PathRoot root, std::string_view key) const {
  const Path path = split_path(key);
  return std::ranges::any_of(paths_.all(), [&](const KeyPath& one) {
    return one.key->root == root && one.holds(path);  // inside: an item of a map of paths
  });
}

}  // namespace heed
