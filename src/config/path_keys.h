// The keys whose values are paths (Fields::path), of all kinds that settings can have.
#pragma once

#include <string_view>

#include "config/key_paths.h"
#include "config/outline.h"

namespace heed {

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
