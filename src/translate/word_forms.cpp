#include "translate/word_forms.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/unicode/unicode.h"
#include "base/utf8.h"
#include "markup/text_units.h"

namespace heed {

namespace {

using Texts = std::vector<std::string>;

char32_t first_of(const std::string& word) {
  size_t offset = 0;
  return word.empty() ? U'\0' : next_code_point(word, offset).value_or(U'\0');
}
bool begins_with_capital(const std::string& word) {
  return is_of_kind(first_of(word), CharacterKind::kCapital);
}
bool has_kind(const std::string& word, CharacterKind kind) {
  return std::ranges::any_of(code_points(word), [kind](std::string_view c) {
    return is_of_kind(first_of(std::string(c)), kind);
  });
}
bool is_in_capitals(const std::string& word) {
  return has_kind(word, CharacterKind::kCapital) && !has_kind(word, CharacterKind::kSmall);
}
bool is_a_word(const std::string& text) {
  return std::ranges::all_of(code_points(text), [](std::string_view c) {
    const char32_t character = first_of(std::string(c));
    return is_of_kind(character, CharacterKind::kLetter) || is_mark(character);
  });
}

// Bytes of whole characters that two words begin with.
size_t common_size(const std::string& a, const std::string& b) {
  const auto a_points = code_points(a), b_points = code_points(b);
  size_t size = 0;
  for (size_t i = 0; i < std::min(a_points.size(), b_points.size()); ++i) {
    if (a_points[i] != b_points[i]) break;
    size += a_points[i].size();
  }
  return size;
}

void add(const std::string& form, const std::string& word, size_t most, Texts& forms) {
  if (forms.size() < most && form != word && std::ranges::count(forms, form) == 0)
    forms.push_back(form);
}

}  // namespace

WordForms::WordForms(StemFunction stem, const Texts& words) : stem_(std::move(stem)) {
  constexpr size_t kMostForms = 20;  // of a stem
  for (const std::string& word : words) {
    Texts& own = words_[stem_(word)];
    if (own.size() < kMostForms && std::ranges::count(own, word) == 0) own.push_back(word);
  }
  learn_changes();
}

void WordForms::learn_changes() {
  constexpr size_t kMostChanges = 100;
  constexpr int64_t kLeast = 2;  // a change of one word is perhaps none of another
  std::map<Change, int64_t> counts;
  for (const auto& [stem, forms] : words_) {
    for (const std::string& from : forms) {
      for (const std::string& into : forms) {
        if (from == into || begins_with_capital(from) != begins_with_capital(into)) continue;
        const size_t common = common_size(from, into);
        if (common > 0) ++counts[{from.substr(common), into.substr(common)}];
      }
    }
  }
  std::vector<std::pair<int64_t, Change>> sorted;
  for (const auto& [change, count] : counts)
    if (count >= kLeast) sorted.emplace_back(-count, change);
  std::ranges::sort(sorted);
  for (const auto& [count, change] : sorted)
    if (changes_.size() < kMostChanges) changes_.push_back(change);
}

Texts WordForms::key(std::string_view text) const {
  Texts stems;
  for (const std::string& unit : unit_texts(text, units_of(text))) stems.push_back(stem_(unit));
  return stems;
}

Texts WordForms::of_word(const std::string& word, size_t most) const {
  Texts forms;
  if (!is_a_word(word) || is_in_capitals(word)) return forms;
  const std::string stem = stem_(word);
  if (const auto known = words_.find(stem); known != words_.end())
    for (const std::string& form : known->second)
      if (begins_with_capital(form) == begins_with_capital(word)) add(form, word, most, forms);
  for (const auto& [from, into] : changes_) {
    if (!word.ends_with(from) || word.size() == from.size()) continue;
    const std::string form = word.substr(0, word.size() - from.size()) + into;
    if (stem_(form) == stem) add(form, word, most, forms);
  }
  return forms;
}

Texts WordForms::of(const std::string& text, size_t most) const {
  const std::vector<TextUnit> units = units_of(text);
  if (units.empty()) return {};
  // Each unit has so many forms that the text has `most`.
  const auto each = static_cast<size_t>(
      std::pow(static_cast<double>(most + 1), 1 / static_cast<double>(units.size())));
  Texts forms{""};
  size_t end = 0;
  for (const TextUnit& unit : units) {
    const std::string word = text.substr(unit.begin, unit.end - unit.begin);
    Texts own = of_word(word, each - 1);
    own.insert(own.begin(), word);
    Texts longer;
    for (const std::string& form : forms)
      for (const std::string& one : own)
        longer.push_back(form + text.substr(end, unit.begin - end) + one);
    forms = std::move(longer);
    end = unit.end;
  }
  for (std::string& form : forms) form += text.substr(end);
  std::erase(forms, text);
  return forms;
}

Texts words_of(const Codec& codec) {
  Texts words;
  for (int32_t id = kSpecials; id < codec.vocabulary().size(); ++id) {
    const std::string word(trimmed(codec.decode(Ids{id}), " "));
    if (count_code_points(word) > 1 && is_utf8(word) && is_a_word(word)) words.push_back(word);
  }
  return words;
}

}  // namespace heed
