#include "markup/text_units.h"

#include <algorithm>

#include "base/unicode/unicode.h"
#include "base/unspaced.h"
#include "base/utf8.h"

namespace heed {

namespace {

bool is_unit_separator(std::string_view character) {
  return std::ranges::find(kCharacterSeparators, character) != kCharacterSeparators.end();
}

// A character that is part of a word between two letters or digits.
bool joins_word(std::string_view character) {
  constexpr std::string_view kJoining[] = {"-", "'", ".", ",", "_", "@", "/", ":", "’", "·"};
  return std::ranges::find(kJoining, character) != std::end(kJoining);
}

bool is_word_of_one(std::string_view character) {
  size_t offset = 0;
  const auto c = next_code_point(character, offset);
  return c && is_of_kind(*c, CharacterKind::kLetterOrDigit);
}

bool is_combining(std::string_view character) {
  size_t offset = 0;
  const auto c = next_code_point(character, offset);
  return c && is_mark(*c);
}

}  // namespace

std::vector<TextUnit> units_of(std::string_view text, const std::vector<size_t>& cuts) {
  const std::vector<std::string_view> characters = code_points(text);
  std::vector<TextUnit> units;
  bool is_open = false;  // true behind a part of a word
  for (size_t i = 0; i < characters.size(); ++i) {
    const auto begin = static_cast<size_t>(characters[i].data() - text.data());
    const size_t end = begin + characters[i].size();
    if (is_unit_separator(characters[i])) {
      is_open = false;
      continue;
    }
    const bool is_cut = std::ranges::binary_search(cuts, begin);
    const bool follows = !units.empty() && units.back().end == begin && !is_cut;
    const bool is_part = is_part_of_word(characters[i]);
    const bool goes_on = i + 1 < characters.size() && is_part_of_word(characters[i + 1]) &&
                         !std::ranges::binary_search(cuts, end);
    const bool joins = is_open && goes_on && joins_word(characters[i]);
    if (follows && ((is_open && (is_part || joins)) || is_combining(characters[i]))) {
      units.back().end = end;
    } else {
      units.push_back({begin, end, is_word_of_one(characters[i])});
      is_open = is_part;
    }
  }
  return units;
}

std::vector<TextUnit> hyphenless_units_of(std::string_view text, std::vector<size_t> cuts) {
  for (size_t at = 0; (at = text.find('-', at)) != std::string_view::npos; ++at) {
    cuts.push_back(at);
    cuts.push_back(at + 1);
  }
  std::ranges::sort(cuts);
  return units_of(text, cuts);
}

std::vector<std::string> unit_texts(std::string_view text, const std::vector<TextUnit>& units) {
  std::vector<std::string> texts;
  for (const TextUnit& unit : units)
    texts.emplace_back(text.substr(unit.begin, unit.end - unit.begin));
  return texts;
}

}  // namespace heed
