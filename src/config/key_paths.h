// Every path to every key of an outline: `heed config explain` and the messages about unknown keys
// search it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/outline.h"

namespace heed {

using Path = std::vector<std::string>;

// Of "a.b[3].c" without the indexes of lists, which make no difference: a, b, c.
Path split_path(std::string_view key);
// "a.b.c"; from: the index of the first part that is written.
std::string join_path(const Path& path, size_t from = 0);

struct KeyPath {
  Path path;  // the key of a map is NAME
  const KeyOutline* key;
  std::string kind;  // "score: additive" if the key belongs to a kind, or ""
};

// Their paths as text, each once.
std::vector<std::string> distinct_paths(const std::vector<KeyPath>& paths);

// A registry is not entered again inside itself. The outline must outlive this.
class KeyPaths {
 public:
  explicit KeyPaths(const Outline& outline) { walk(outline.root(), {}, ""); }
  // In the order of the config.
  const std::vector<KeyPath>& all() const { return all_; }

  // Those that end with `tail`, where NAME is any name. The whole path comes before its end, a part
  // as it stands before NAME; of equals the shorter path is first.
  std::vector<KeyPath> ending_with(const Path& tail) const;

  // The shortest paths to keys of this name deeper inside `under` ({}: anywhere), at most three; none
  // if there are more.
  std::vector<std::string> places_of(std::string_view name, const Path& under) const;

 private:
  void walk(const StructOutline& body, const Path& path, const std::string& kind);
  void enter(const RegistryOutline& registry, const Path& path, const std::string& name);

  std::vector<KeyPath> all_;
  std::vector<const RegistryOutline*> inside_;
};

}  // namespace heed
