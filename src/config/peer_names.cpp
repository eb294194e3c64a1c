#include "config/peer_names.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/error.h"
#include "config/synonyms.h"

namespace heed {

namespace {

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// Splits at commas outside of parentheses, brackets and braces.
std::vector<std::string_view> split_list(std::string_view list) {
  std::vector<std::string_view> items;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (std::string_view("([{").find(c) != std::string_view::npos) ++depth;
    if (std::string_view(")]}").find(c) != std::string_view::npos) --depth;
    if (c != ',' || depth > 0) continue;
    const std::string_view item = trimmed(list.substr(begin, i - begin));
    if (!item.empty()) items.push_back(item);
    begin = i + 1;
  }
  return items;
}

PeerName read_name(std::string_view item) {
  PeerName result;
  if (const size_t remark = item.find('('); remark != std::string_view::npos) {
    result.remark = item.substr(remark + 1, item.rfind(')') - remark - 1);
    item = trimmed(item.substr(0, remark));
  }
  const size_t colon = item.find(": ");
  result.name = item.substr(0, colon);
  if (colon != std::string_view::npos) result.value = item.substr(colon + 2);
  return result;
}

bool has_word(std::string_view list, std::string_view word) {
  const std::vector<PeerName> names = peer_names(list);
  return std::ranges::find(names, word, &PeerName::word) != names.end();
}

bool have_word(const Peers& names, std::string_view word) {
  return std::ranges::any_of(
      std::array{names.joeynmt, names.opennmt, names.marian, names.nematus, names.sockeye},
      [word](const char* list) { return has_word(list, word); });
}

// The beginning of a help text that names the key: "learning rate"; "" if it is long.
std::string short_help(const std::string& help) {
  constexpr size_t kLongest = 60;
  std::string_view text = help;
  for (const char* end : {";", ": ", " ("}) text = text.substr(0, text.find(end));
  if (text.size() > kLongest) text = text.substr(0, text.find(", "));
  return text.size() > kLongest ? "" : std::string(text);
}

void add_meanings(std::vector<PeerMeaning>& meanings, const PeerKey& key) {
  for (const std::string& path : key.paths) {
    const auto known = std::ranges::find(meanings, path, &PeerMeaning::path);
    if (known == meanings.end()) {
      meanings.push_back({path, {key.value}, key.help, key.names->note});
    } else if (std::ranges::count(known->values, key.value) == 0) {
      known->values.push_back(key.value);
    }
  }
}

// " (learning rate)", " (NOTE)" or both: the first note, and the help if it is that of all.
std::string remark_on(const std::vector<PeerMeaning>& meanings, std::string help) {
  for (const PeerMeaning& meaning : meanings) {
    if (meaning.help != help) help.clear();
  }
  const auto noted =
      std::ranges::find_if(meanings, [](const PeerMeaning& one) { return *one.note != '\0'; });
  const std::string note = noted == meanings.end() ? "" : noted->note;
  if (help.empty() && note.empty()) return "";
  return fmt::format(" ({}{}{})", help, help.empty() || note.empty() ? "" : "; ", note);
}

std::string with_value(const std::string& key, const PeerMeaning& meaning) {
  const std::string& value = meaning.values.front();
  const bool has_value = meaning.values.size() == 1 && !value.empty();
  return has_value ? fmt::format("{}: {}", key, value) : key;
}

std::string joined_by_or(const std::vector<std::string>& texts) {
  if (texts.size() == 1) return texts.front();
  return fmt::format("{} or {}", fmt::join(texts.begin(), texts.end() - 1, ", "), texts.back());
}

}  // namespace

std::string PeerName::word() const {
  return canonical_word(std::string_view(name).substr(name.find_last_of('.') + 1));
}

std::vector<PeerName> peer_names(std::string_view list) {
  std::vector<PeerName> names;
  for (const std::string_view item : split_list(list)) names.push_back(read_name(item));
  return names;
}

std::vector<PeerKey> peer_keys(const KeyPaths& paths) {
  std::vector<PeerKey> keys;
  std::map<const KeyOutline*, std::vector<KeyPath>> by_key;
  for (const KeyPath& one : paths.all()) by_key[one.key].push_back(one);
  for (const KeyPath& one : paths.all()) {
    const auto found = by_key.find(one.key);
    if (found == by_key.end() || one.key->peers.empty()) continue;
    std::vector<KeyPath>& same = found->second;
    std::ranges::stable_sort(same, {}, [](const KeyPath& path) { return path.path.size(); });
    std::erase_if(same, [least = same.front().path.size()](const KeyPath& path) {
      return path.path.size() > least;
    });
    for (const PeerOutline& peer : one.key->peers) {
      std::vector<std::string> all = distinct_paths(same);
      for (std::string& path : all) {
        if (!peer.inside.empty()) path += "." + peer.inside;
      }
      keys.push_back({std::move(all), same.front().kind, peer.value,
                      peer.inside.empty() ? short_help(one.key->help) : "", &peer.names});
    }
    by_key.erase(found);
  }
  return keys;
}

const std::vector<PeerOption>& peer_options() {
  static const std::vector<PeerOption> options = {
      {"`heed translate --max-length N`",
       "maximum length of a translation, beside search.max_length_ratio and "
       "search.max_length_extra",
       {.joeynmt = "testing.max_output_length", .opennmt = "max_length"}},
      {"`heed translate --nbest N`",
       "number of translations of a sentence",
       {.joeynmt = "testing.n_best", .opennmt = "n_best", .marian = "n-best", .also = "nbest"}},
      {"`heed translate --replace-unknown`",
       "<unk> is replaced by a source word",
       {.opennmt = "replace_unk"}},
      {"`heed translate --constraints`, `--avoid`",
       "words that a translation has, or lacks",
       {.sockeye = "(JSON input)"}},
      {"`heed translate --shortlist`, `heed shortlist`",
       "the likely target tokens of a source",
       {.marian = "shortlist"}},
      {"`heed train --overwrite`", "training anew in the same folder", {.joeynmt = "overwrite"}},
  };
  return options;
}

namespace {

std::string meant_option(const std::string& word) {
  for (const PeerOption& option : peer_options()) {
    if (have_word(option.names, word) || has_word(option.names.also, word))
      return fmt::format("; here it is {} ({})", option.here, option.help);
  }
  return "";
}

}  // namespace

std::vector<PeerMeaning> peer_meanings(std::string_view asked, const KeyPaths& paths) {
  const std::string word = canonical_word(asked);
  const bool is_own = word == "type" || std::ranges::any_of(paths.all(), [&](const KeyPath& one) {
                        return one.path.back() == word;
                      });
  std::vector<PeerMeaning> meanings;
  for (const PeerKey& key : peer_keys(paths)) {
    if (has_word(key.names->also, word) || (!is_own && have_word(*key.names, word)))
      add_meanings(meanings, key);
  }
  return meanings;
}

std::string meant_by_peers(std::string_view asked, const KeyPaths& paths,
                           const std::vector<std::string>& candidates) {
  const std::vector<PeerMeaning> meanings = peer_meanings(asked, paths);
  for (const PeerMeaning& meaning : meanings) {
    if (std::ranges::count(candidates, meaning.last_key()) > 0)
      return fmt::format("; did you mean '{}'?{}", with_value(meaning.last_key(), meaning),
                         remark_on(meanings, ""));
  }
  if (meanings.empty()) return meant_option(canonical_word(asked));
  std::vector<std::string> places;
  for (const PeerMeaning& meaning : meanings) places.push_back(with_value(meaning.path, meaning));
  return fmt::format("; here it is {}{}", joined_by_or(places),
                     remark_on(meanings, meanings.front().help));
}

}  // namespace heed
