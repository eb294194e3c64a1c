// The paths that settings hold (Fields::path).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/settings.h"

namespace heed {

// A path that is set, with its key, "vocabulary.file".
struct PathValue {
  std::string key, path;
};
// The paths that start from this root, in the order of their keys.
std::vector<PathValue> paths_in(const Visited& settings, PathRoot root);

// Makes them absolute and normal; a relative one starts from `folder`.
void resolve_paths(Settings& settings, PathRoot root, const std::filesystem::path& folder);

}  // namespace heed
