// Changes of whole words and lines: join, drop, case, punctuation.
#include <algorithm>

#include "base/case_mapping.h"
#include "base/unicode/unicode.h"
#include "base/unspaced.h"
#include "base/utf8.h"
#include "data/augment/drawn_words.h"
#include "data/augment/modifiers.h"

namespace heed {

namespace {

char32_t last_character(std::string_view text) {
  const auto characters = code_points(text);
  size_t begin = 0;
  return characters.empty() ? U' ' : next_code_point(characters.back(), begin).value();
}

// Marks that end a sentence: of Latin, Arabic, Devanagari, Chinese and Japanese text.
bool is_final_mark(char32_t character) {
  return std::u32string_view(U".!?…؟۔।。！？").find(character) != std::u32string_view::npos;
}

char32_t end_of(const WordLine& line) {
  return line.words.empty() ? U' ' : last_character(line.words.back().text);
}

std::string without_final_marks(std::string_view word) {
  std::vector<std::string_view> characters = code_points(word);
  while (!characters.empty() && is_final_mark(last_character(characters.back())))
    characters.pop_back();
  return std::string(word.substr(
      0, characters.empty() ? 0 : static_cast<size_t>(characters.back().end() - word.begin())));
}

// Period of the script of a line; "" for a script without one.
std::string period_of(const WordLine& line) {
  const ScriptCount scripts = count_scripts(line.text());
  if (2 * scripts.unspaced <= scripts.letters) return ".";
  return scripts.han + scripts.kana > 0 ? "。" : "";
}

bool all_sides(const AugmentedPair& pair, bool (*holds)(const WordLine& line)) {
  return std::ranges::all_of(pair.sides, holds);
}

// True if something is left of the line without its final punctuation.
bool has_final_marks(const WordLine& line) {
  const bool is_whole_line =
      line.words.size() == 1 && without_final_marks(line.words[0].text).empty();
  return is_final_mark(end_of(line)) && !is_whole_line;
}

bool can_end_in_period(const WordLine& line) {
  return !line.words.empty() && is_plain_word(line.words.back().text) &&
         is_of_kind(end_of(line), CharacterKind::kLetterOrDigit) && !period_of(line).empty();
}

template <class Map>
bool map_words(AugmentedPair& pair, const Map& map) {
  bool changed = false;
  for (WordLine& line : pair.sides) {
    for (LineWord& word : line.words) {
      if (!is_plain_word(word.text)) continue;
      std::string mapped = map(word.text, line.language);
      changed = changed || mapped != word.text;
      word.text = std::move(mapped);
    }
  }
  return changed;
}

}  // namespace

bool join_pairs(AugmentedPair& pair, const AugmentedPair& next) {
  for (size_t side = 0; side < pair.sides.size(); ++side) {
    WordLine& line = pair.sides[side];
    const WordLine& other = next.sides[side];
    if (line.words.empty() || other.words.empty()) return false;
  }
  if (pair.links) {
    const size_t sources = pair.sides[pair.aligned].words.size();
    const size_t targets = pair.sides.back().words.size();
    for (const auto& [source, target] : next.links.value())
      pair.links->emplace_back(source + sources, target + targets);
  }
  for (size_t side = 0; side < pair.sides.size(); ++side) {
    WordLine& line = pair.sides[side];
    WordLine other = next.sides[side];
    const bool unspaced = *line.separator() == '\0' && *other.separator() == '\0';
    other.words.front().before = unspaced ? "" : " ";
    std::ranges::move(other.words, std::back_inserter(line.words));
    line.end = other.end;
  }
  return true;
}

bool drop_words(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws) {
  bool changed = false;
  for (size_t source = 0; source < pair.sources(); ++source) {
    const size_t words = pair.sides[source].words.size();
    std::vector<size_t> drawn = drawn_words(pair.sides[source], config.drop->rate, draws,
                                            [](const LineWord&) { return true; });
    if (drawn.size() > words / 2) {
      shuffle(drawn.begin(), drawn.end(), draws);
      drawn.resize(words / 2);
      std::ranges::sort(drawn);
    }
    for (size_t i = drawn.size(); i-- > 0;) pair.erase(source, drawn[i]);
    changed = changed || !drawn.empty();
  }
  return changed;
}

bool mask_words(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws) {
  bool changed = false;
  for (size_t source = 0; source < pair.sources(); ++source) {
    WordLine& line = pair.sides[source];
    for (const size_t i :
         drawn_words(line, config.mask->rate, draws, [](const LineWord&) { return true; })) {
      line.words[i].masked = true;
      changed = true;
    }
  }
  return changed;
}

bool change_punctuation(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws) {
  if (all_sides(pair, has_final_marks)) {
    for (size_t side = 0; side < pair.sides.size(); ++side) {
      std::vector<LineWord>& words = pair.sides[side].words;
      while (is_final_mark(end_of(pair.sides[side]))) {
        words.back().text = without_final_marks(words.back().text);
        if (words.back().text.empty()) pair.erase(side, words.size() - 1);
      }
    }
    return true;
  }
  if (!all_sides(pair, can_end_in_period)) return false;
  for (WordLine& line : pair.sides) line.words.back().text += period_of(line);
  return true;
}

bool upper_case(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws) {
  return map_words(pair, upper_cased);
}

bool title_case(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws) {
  return map_words(pair, title_cased);
}

}  // namespace heed
