#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "config/outline.h"
#include "config/reference.h"
#include "config/synonyms.h"

namespace heed {

namespace {

using Path = std::vector<std::string>;
using Many = KeyOutline::Many;

constexpr const char* kAnyName = "NAME";  // in the path of what a map holds

// One way to a key.
struct Way {
  Path path;
  const KeyOutline* key;
  std::string kind;  // "score: additive" if it belongs to a kind, or ""
};

// Every way there is; a registry is not entered again inside itself.
class Ways {
 public:
  explicit Ways(const Outline& outline) { walk(outline.root(), {}, ""); }
  const std::vector<Way>& all() const { return all_; }

 private:
  void walk(const StructOutline& body, const Path& path, const std::string& kind) {
    for (const KeyOutline& key : body.keys) {
      Path here = path;
      here.push_back(key.name);
      all_.push_back({here, &key, kind});
      if (key.many == Many::kMap) here.push_back(kAnyName);
      if (key.body != nullptr) walk(*key.body, here, kind);
      if (key.registry != nullptr) enter(*key.registry, here, key.name);
    }
  }
  void enter(const RegistryOutline& registry, const Path& path, const std::string& name) {
    if (std::find(inside_.begin(), inside_.end(), &registry) != inside_.end()) return;
    inside_.push_back(&registry);
    for (const KindOutline& kind : registry.kinds)
      walk(kind.body, path, fmt::format("{}: {}", name, kind.name));
    inside_.pop_back();
  }

  std::vector<Way> all_;
  std::vector<const RegistryOutline*> inside_;
};

// Without the indexes of lists, which make no difference.
Path split(const std::string& key) {
  Path path(1);
  bool in_index = false;
  for (char c : key) {
    if (c == '[') in_index = true;
    if (c == '.' && !in_index) {
      path.emplace_back();
    } else if (!in_index) {
      path.back() += c;
    }
    if (c == ']') in_index = false;
  }
  return path;
}

std::string join(const Path& path, size_t from = 0) {
  std::string text;
  for (size_t i = from; i < path.size(); ++i) text += (text.empty() ? "" : ".") + path[i];
  return text;
}

bool ends_with(const Path& path, const Path& tail) {
  return path.size() >= tail.size() &&
         std::equal(tail.rbegin(), tail.rend(), path.rbegin(),
                    [](const std::string& asked, const std::string& name) {
                      return asked == name || name == kAnyName;
                    });
}

std::vector<Way> matching(const Ways& ways, const Path& tail) {
  std::vector<Way> found, whole;
  for (const Way& way : ways.all()) {
    if (!ends_with(way.path, tail)) continue;
    found.push_back(way);
    if (way.path.size() == tail.size()) whole.push_back(way);
  }
  return whole.empty() ? found : whole;
}

[[noreturn]] void throw_unknown(const Ways& ways, const std::string& asked, const Path& tail) {
  std::vector<std::string> candidates;
  for (const Way& way : ways.all()) {
    if (way.path.size() >= tail.size())
      candidates.push_back(join(way.path, way.path.size() - tail.size()));
  }
  const bool is_synonym = find_synonym(asked) != nullptr;
  throw_error(ErrorKind::kUsage, "there is no key '{}'{}", asked,
              is_synonym ? meant_or_nearest(asked, {}) : did_you_mean(asked, candidates));
}

[[noreturn]] void throw_ambiguous(const std::string& asked, const std::vector<Way>& ways) {
  constexpr size_t kMost = 8;
  std::vector<std::string> paths;
  for (const Way& way : ways) {
    const std::string path = join(way.path);
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  }
  std::string list;
  for (size_t i = 0; i < std::min(kMost, paths.size()); ++i)
    list += (i == 0 ? "" : ", ") + paths[i];
  if (paths.size() > kMost) list += fmt::format(" and {} more", paths.size() - kMost);
  throw_error(ErrorKind::kUsage, "'{}' is ambiguous: {}; write more of the key", asked, list);
}

std::string value_text(const KeyOutline& key) {
  std::string one = key.type;
  if (key.body != nullptr) one = "settings" + key.type;
  if (key.registry != nullptr) one = "a type, chosen by `type:`";
  if (key.many == Many::kList) return key.type == "a text" ? "list of texts" : "list of " + one;
  return key.many == Many::kMap ? "map from names to " + one : one;
}

// "  name  meaning", a line each.
std::string inner_text(const KeyOutline& key) {
  std::string text;
  if (key.registry != nullptr) {
    for (const KindOutline& kind : key.registry->kinds)
      text += fmt::format("    {:<20} {}\n", kind.name, kind.help);
  }
  if (key.body != nullptr) {
    for (const KeyOutline& inner : key.body->keys)
      text += fmt::format("    {:<20} {}\n", inner.name, inner.help);
  }
  return text;
}

// All ways to one key.
std::string entry_text(const std::vector<Way>& ways) {
  const Way& first = ways.front();
  const KeyOutline& key = *first.key;
  std::string text =
      join(first.path) + (first.kind.empty() ? "" : fmt::format("   ({})", first.kind));
  text += fmt::format("\n  {}\n  value:   {}\n", key.help, value_text(key));
  const std::string fallback = key.required          ? "required"
                               : key.fallback == "~" ? "none"
                                                     : key.fallback;
  if (!fallback.empty()) text += fmt::format("  default: {}\n", fallback);
  text += inner_text(key);
  constexpr size_t kMostWays = 5;
  for (size_t i = 1; i < std::min(kMostWays, ways.size()); ++i)
    text += fmt::format("  also at: {}\n", join(ways[i].path));
  return text;
}

// The same key reached in several ways is one entry; several keys at the same place belong to
// several kinds.
std::vector<std::vector<Way>> by_key(const std::vector<Way>& ways) {
  std::vector<std::vector<Way>> entries;
  for (const Way& way : ways) {
    const auto known = std::find_if(entries.begin(), entries.end(), [&way](const auto& entry) {
      return entry.front().key == way.key;
    });
    if (known == entries.end()) {
      entries.push_back({way});
    } else {
      known->push_back(way);
    }
  }
  return entries;
}

// "  name   meaning"
std::string list_line(const std::string& path, const std::string& help) {
  constexpr size_t kColumn = 44;
  std::string line = "  " + path;
  line.resize(std::max(line.size() + 1, kColumn), ' ');
  return line + help + "\n";
}

}  // namespace

std::string explain_all(Settings& settings) {
  const Outline outline(settings);
  const Ways ways(outline);
  std::string text;
  for (const auto& entry : by_key(ways.all())) {
    const Way& way = entry.front();
    const std::string path = join(way.path);
    if (way.path.size() == 1 && !text.empty()) text += "\n";
    text +=
        list_line(way.kind.empty() ? path : fmt::format("{} ({})", path, way.kind), way.key->help);
  }
  return text + "\n`heed config explain KEY` has the values and the default of a key.\n";
}

std::string explain_key(Settings& settings, const std::string& key) {
  const Outline outline(settings);
  const Ways ways(outline);
  Path tail = split(key);
  std::vector<Way> found = matching(ways, tail);
  if (found.empty() && tail.size() > 1 && tail.back() == "type") {
    tail.pop_back();
    found = matching(ways, tail);
  }
  if (found.empty()) throw_unknown(ways, key, tail);
  std::string text;
  for (const auto& entry : by_key(found)) {
    if (entry.front().path != found.front().path) throw_ambiguous(key, found);
    text += entry_text(entry);
  }
  return text;
}

}  // namespace heed
