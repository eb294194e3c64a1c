#include "config/key_paths.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/error.h"

namespace heed {

namespace {

constexpr const char* kAnyName = "NAME";  // in the path of what a map holds

// How well a path agrees with what was asked for; the least is the best.
using Agreement = std::tuple<bool, size_t>;  // only the end of the path, parts that NAME stands for

std::optional<Agreement> agreement(const Path& path, const Path& tail) {
  if (path.size() < tail.size()) return std::nullopt;
  size_t any = 0;
  for (size_t i = 0; i < tail.size(); ++i) {
    const std::string& part = path[path.size() - tail.size() + i];
    if (part == tail[i]) continue;
    if (part != kAnyName || i == 0) return std::nullopt;  // a name alone says nothing
    ++any;
  }
  return Agreement{path.size() != tail.size(), any};
}

bool is_shorter(const KeyPath& a, const KeyPath& b) { return a.path.size() < b.path.size(); }

bool is_inside(const KeyPath& key, const Path& under) {
  return std::equal(under.begin(), under.end(), key.path.begin(),
                    [](const std::string& asked, const std::string& part) {
                      return asked == part || part == kAnyName;
                    });
}

}  // namespace

Path split_path(std::string_view key) {
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

std::string join_path(const Path& path, size_t from) {
  return fmt::format("{}", fmt::join(path.begin() + static_cast<ptrdiff_t>(from), path.end(), "."));
}

std::vector<std::string> distinct_paths(const std::vector<KeyPath>& paths) {
  std::vector<std::string> texts;
  for (const KeyPath& one : paths) {
    const std::string text = join_path(one.path);
    if (std::ranges::count(texts, text) == 0) texts.push_back(text);
  }
  return texts;
}

bool KeyPath::holds(const Path& asked) const {
  return asked.size() >= path.size() &&
         std::equal(path.begin(), path.end(), asked.begin(),
                    [](const std::string& part, const std::string& written) {
                      return part == written || part == kAnyName;
                    });
}

void KeyPaths::walk(const StructOutline& body, const Path& path, const std::string& kind) {
  for (const KeyOutline& key : body.keys) {
    Path here = path;
    here.push_back(key.name);
    all_.push_back({here, &key, kind});
    if (key.many == KeyOutline::Many::kMap) {
      here.push_back(kAnyName);
      all_.push_back({here, &key, kind});
    }
    if (key.body != nullptr) walk(*key.body, here, kind);
    if (key.registry != nullptr) enter(*key.registry, here, key.name);
  }
}

void KeyPaths::enter(const RegistryOutline& registry, const Path& path, const std::string& name) {
  if (std::ranges::count(inside_, &registry) > 0) return;
  inside_.push_back(&registry);
  for (const KindOutline& kind : registry.kinds)
    walk(kind.body, path, fmt::format("{}: {}", name, kind.name));
  inside_.pop_back();
}

std::vector<KeyPath> KeyPaths::ending_with(const Path& tail) const {
  std::optional<Agreement> best;
  for (const KeyPath& one : all_) {
    const std::optional<Agreement> found = agreement(one.path, tail);
    if (found && (!best || *found < *best)) best = found;
  }
  std::vector<KeyPath> result;
  if (!best) return result;
  std::ranges::copy_if(all_, std::back_inserter(result),
                       [&](const KeyPath& one) { return agreement(one.path, tail) == best; });
  std::ranges::stable_sort(result, is_shorter);
  return result;
}

std::vector<std::string> KeyPaths::places_of(std::string_view name, const Path& under) const {
  constexpr size_t kMost = 3;
  std::vector<KeyPath> found;
  std::ranges::copy_if(all_, std::back_inserter(found), [&](const KeyPath& one) {
    return one.path.back() == name && one.path.size() > under.size() + 1 && is_inside(one, under);
  });
  if (found.empty()) return {};
  const size_t least = std::ranges::min_element(found, is_shorter)->path.size();
  std::erase_if(found, [least](const KeyPath& one) { return one.path.size() > least; });
  std::vector<std::string> places = distinct_paths(found);
  return places.size() > kMost ? std::vector<std::string>() : places;
}

}  // namespace heed
