// The paths that settings hold (Fields::path).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "config/key_paths.h"
#include "config/outline.h"
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

// The keys whose values are paths (Fields::path), of all kinds that settings can have.
class PathKeys {
 public:
  explicit PathKeys(const Visited& settings) : outline_(settings), paths_(outline_) {}
  PathKeys(const PathKeys&) = delete;  // the paths refer to the outline
  PathKeys& operator=(const PathKeys&) = delete;

  // True if the value of the key is a path that starts from this folder. key: its whole path, as in
  // "text.source.vocabulary.file"; of a map of paths, that of the map or of an item.
  bool start_from(PathRoot root, std::string_view key) const;

 private:
  Outline outline_;
  KeyPaths paths_;
};

}  // namespace heed
