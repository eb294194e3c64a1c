#include <algorithm>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/suggest.h"
#include "config/key_paths.h"
#include "config/peer_names.h"
#include "config/reference.h"
#include "config/synonyms.h"

namespace heed {

namespace {

using Many = KeyOutline::Many;

// Keys that the user may have meant: whole paths if the first part is a section, else ends of
// paths.
std::vector<std::string> candidates_for(const KeyPaths& paths, const Path& tail) {
  const bool is_whole =
      tail.size() > 1 && std::ranges::any_of(paths.all(), [&](const KeyPath& one) {
        return one.path.front() == tail.front();
      });
  std::vector<std::string> candidates;
  for (const KeyPath& one : paths.all()) {
    if (is_whole ? one.path.size() == tail.size() : one.path.size() >= tail.size())
      candidates.push_back(join_path(one.path, one.path.size() - tail.size()));
  }
  return candidates;
}

// "; keys that begin with it: train.log_every", or "" if there are none or many.
std::string completions(const std::string& asked, const std::vector<std::string>& candidates) {
  constexpr size_t kMost = 5;
  std::set<std::string> found;
  std::ranges::copy_if(candidates, std::inserter(found, found.end()),
                       [&](const std::string& one) { return one.starts_with(asked); });
  if (found.empty() || found.size() > kMost) return "";
  return fmt::format("; keys that begin with it: {}", fmt::join(found, ", "));
}

std::string hint_for(const KeyPaths& paths, const std::string& asked, const Path& tail) {
  if (find_synonym(asked) != nullptr) return synonym_or_suggestion(asked, {});
  if (std::string meant = meant_by_peers(asked, paths, {}); !meant.empty()) return meant;
  const std::vector<std::string> candidates = candidates_for(paths, tail);
  const std::string completed = completions(join_path(tail), candidates);
  return completed.empty() ? did_you_mean(asked, candidates) : completed;
}

std::string value_text(const KeyOutline& key) {
  std::string one = key.type;
  if (key.body != nullptr) one = "settings" + key.type;
  if (key.registry != nullptr) one = "a type, chosen by `type:`";
  if (key.many == Many::kList) return key.type == "a text" ? "list of texts" : "list of " + one;
  return key.many == Many::kMap ? "map from names to " + one : one;
}

// Formats "  name   meaning". The meaning begins in this column, after a longer name on the next
// line.
std::string row(size_t column, const std::string& name, const std::string& help) {
  if (name.size() + 1 > column) return fmt::format("{}\n{:<{}}{}\n", name, "", column, help);
  return fmt::format("{:<{}}{}\n", name, column, help);
}

std::string inner_text(const StructOutline& body) {
  std::string text;
  for (const KeyOutline& key : body.keys) text += row(25, "    " + key.name, key.help);
  return text;
}

std::string inner_text(const KeyOutline& key) {
  std::string text;
  if (key.registry != nullptr) {
    for (const KindOutline& kind : key.registry->kinds)
      text += row(25, "    " + kind.name, kind.help);
  }
  return key.body != nullptr ? text + inner_text(*key.body) : text;
}

// Lists presets with the keys that each sets.
std::string presets_text(const Presets& presets) {
  std::string text;
  for (const Preset& preset : presets) {
    text += fmt::format("\n  {}: {}\n", preset.name, preset.paper());
    std::istringstream lines(preset.keys());
    for (std::string line; std::getline(lines, line);) text += fmt::format("    {}\n", line);
  }
  return text;
}

// Describes one key with all paths that lead to it.
std::string entry_text(const std::vector<KeyPath>& paths) {
  const KeyPath& first = paths.front();
  const KeyOutline& key = *first.key;
  std::string text =
      join_path(first.path) + (first.kind.empty() ? "" : fmt::format("   ({})", first.kind));
  text += fmt::format("\n  {}\n  value:   {}\n", key.help, value_text(key));
  const std::string fallback = key.required          ? "required"
                               : key.fallback == "~" ? "none"
                                                     : key.fallback;
  if (!fallback.empty()) text += fmt::format("  default: {}\n", fallback);
  text += inner_text(key);
  const std::vector<std::string> places = distinct_paths(paths);
  constexpr size_t kMostPlaces = 5;
  for (size_t i = 1; i < std::min(kMostPlaces, places.size()); ++i)
    text += fmt::format("  also at: {}\n", places[i]);
  if (key.presets != nullptr) text += presets_text(*key.presets);
  return text;
}

// Groups paths by key. One key that several paths reach is one entry; different keys with the same
// path belong to several kinds.
std::vector<std::vector<KeyPath>> by_key(const std::vector<KeyPath>& paths) {
  std::vector<std::vector<KeyPath>> entries;
  for (const KeyPath& one : paths) {
    const auto known = std::ranges::find_if(
        entries, [&one](const auto& entry) { return entry.front().key == one.key; });
    if (known == entries.end()) {
      entries.push_back({one});
    } else {
      known->push_back(one);
    }
  }
  return entries;
}

// Describes the kinds that have this name as `type:`; "" if there are none.
std::string kinds_text(const Outline& outline, const std::string& name) {
  std::string text;
  for (const RegistryOutline& registry : outline.registries()) {
    for (const KindOutline& kind : registry.kinds) {
      if (kind.name == name)
        text +=
            fmt::format("{}: {}\n  {}\n{}", registry.title, name, kind.help, inner_text(kind.body));
    }
  }
  return text;
}

}  // namespace

std::string explain_all(const Visited& settings) {
  constexpr size_t kColumn = 44;
  const Outline outline(settings);
  const KeyPaths paths(outline);
  std::string text;
  for (const auto& entry : by_key(paths.all())) {
    const KeyPath& one = entry.front();
    const std::string path = "  " + join_path(one.path);
    if (one.path.size() == 1 && !text.empty()) text += "\n";
    text += row(kColumn, one.kind.empty() ? path : fmt::format("{} ({})", path, one.kind),
                one.key->help);
  }
  return text + "\n`heed config explain KEY` has the values and the default of a key.\n";
}

std::string explain_key(const Visited& settings, const std::string& key) {
  const Outline outline(settings);
  const KeyPaths paths(outline);
  Path tail = split_path(key);
  std::vector<KeyPath> found = paths.ending_with(tail);
  if (found.empty() && tail.size() > 1 && tail.back() == "type") {
    tail.pop_back();
    found = paths.ending_with(tail);
  }
  if (found.empty()) {
    const std::string kinds = kinds_text(outline, key);
    if (!kinds.empty()) return kinds;
    throw_error(ErrorKind::kUsage, "there is no key '{}'{}", key, hint_for(paths, key, tail));
  }
  std::string text;
  for (const auto& entry : by_key(found)) {
    if (!text.empty()) text += "\n";
    text += entry_text(entry);
  }
  return text;
}

}  // namespace heed
