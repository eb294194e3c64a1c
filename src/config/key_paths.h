// All paths to all keys of an outline. `heed config explain` and the messages about unknown keys
// search them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/outline.h"

namespace heed {

using Path = std::vector<std::string>;

// Splits "a.b[3].c" into a, b, c. Indexes of lists are dropped.
Path split_path(std::string_view key);
// Joins the parts to "a.b.c". from: index of the first part that is used.
std::string join_path(const Path& path, size_t from = 0);

struct KeyPath {
  // True if the path of a config, without NAME, is that of this key or one inside it.
  bool holds(const Path& asked) const;

  Path path;  // keys of a map are NAME
  const KeyOutline* key;
  std::string kind;  // "score: additive" if the key belongs to a kind, or ""
};

// Paths of these keys as text, without duplicates.
std::vector<std::string> distinct_paths(const std::vector<KeyPath>& paths);

// Lists the paths. A registry is not entered again inside itself. The outline must outlive this
// object.
class KeyPaths {
 public:
  explicit KeyPaths(const Outline& outline) { walk(outline.root(), {}, ""); }
  // Paths in the order of the config.
  const std::vector<KeyPath>& all() const { return all_; }

  // Returns the best of the paths that end with `tail`; NAME matches any name. A whole path is
  // better than the end of a path, and an exact match better than a match with NAME. Shorter paths
  // are first.
  std::vector<KeyPath> ending_with(const Path& tail) const;

  // Finds the shortest paths to keys of this name below `under` ({}: anywhere). At most three;
  // empty if there are more.
  std::vector<std::string> places_of(std::string_view name, const Path& under) const;

 private:
  void walk(const StructOutline& body, const Path& path, const std::string& kind);
  void enter(const RegistryOutline& registry, const Path& path, const std::string& name);

  std::vector<KeyPath> all_;
  std::vector<const RegistryOutline*> inside_;
};

}  // namespace heed
