// Insertions that a translation copies: tags, emoji, web addresses, placeholders.
#include <array>
#include <string>

#include "base/unicode/unicode.h"
#include "base/utf8.h"
#include "data/augment/modifiers.h"

namespace heed {

namespace {

template <class Items>
const auto& draw_item(const Items& items, RandomStream& draws) {
  return items[draws.below(std::size(items))];
}

// Number of words before which nothing is inserted: a tag such as >>de<< at the beginning.
size_t begin_of(const WordLine& line) {
  return !line.words.empty() && !is_plain_word(line.words.front().text) ? 1 : 0;
}

// Inserts the text on all sides, and links the copies: at the beginning, at the end, or behind aligned
// words. Empty sources stay empty.
bool insert(AugmentedPair& pair, const std::string& text, RandomStream& draws) {
  const WordLinks links = pair.sources() == 1 ? pair.single_links() : WordLinks();
  const uint64_t place = draws.below(links.empty() ? 2 : 3);
  const auto link = place == 2 ? draw_item(links, draws) : WordLinks::value_type();
  const auto position_in = [&](size_t side) {
    const WordLine& line = pair.sides[side];
    if (place == 2) return (side == pair.sources() ? link.second : link.first) + 1;
    return place == 1 ? line.words.size() : begin_of(line);
  };
  std::vector<size_t> positions;
  for (size_t side = 0; side < pair.sides.size(); ++side) {
    positions.push_back(position_in(side));
    if (!pair.sides[side].words.empty()) pair.insert(side, positions.back(), text);
  }
  if (pair.links) pair.links->emplace_back(positions[pair.aligned], positions.back());
  return true;
}

std::string draw_emoji(RandomStream& draws) {
  // Blocks of characters that are emoji without a variation selector.
  constexpr std::array<std::pair<char32_t, char32_t>, 5> kBlocks = {{{0x1F600, 0x1F64F},
                                                                     {0x1F442, 0x1F4FC},
                                                                     {0x1F400, 0x1F43E},
                                                                     {0x1F300, 0x1F320},
                                                                     {0x1F680, 0x1F6C5}}};
  const auto& [first, last] = draw_item(kBlocks, draws);
  std::string text;
  append_code_point(text, first + static_cast<char32_t>(draws.below(last - first + 1)));
  return text;
}

std::string draw_name(RandomStream& draws, size_t syllables) {
  constexpr std::string_view kConsonants = "bcdfghklmnprstvz", kVowels = "aeiou";
  std::string name;
  for (size_t i = 0; i < syllables; ++i) {
    name += draw_item(kConsonants, draws);
    name += draw_item(kVowels, draws);
  }
  return name;
}

std::string draw_url(RandomStream& draws) {
  constexpr std::array kBegins = {"https://", "https://www.", "http://", "www."};
  constexpr std::array kEnds = {".com", ".org", ".net", ".eu", ".de", ".io"};
  std::string url = draw_item(kBegins, draws);
  url += draw_name(draws, 2 + draws.below(3));
  url += draw_item(kEnds, draws);
  if (draws.below(2) == 0) url += "/" + draw_name(draws, 1 + draws.below(3));
  if (draws.below(4) == 0) url += fmt::format("?id={}", draws.below(1000));
  return url;
}

// Links of words that a tag may stand around.
WordLinks links_for_tags(const AugmentedPair& pair) {
  WordLinks fit;
  for (const auto& link : pair.single_links()) {
    if (is_plain_word(pair.sides[pair.aligned].words[link.first].text) &&
        is_plain_word(pair.sides.back().words[link.second].text))
      fit.push_back(link);
  }
  return fit;
}

// Puts the tag around the word, without the punctuation at its ends.
std::string tagged(std::string_view word, const std::string& name) {
  size_t begin = std::string_view::npos, end = 0;
  for (size_t at = 0; at < word.size();) {
    const size_t first = at;
    const char32_t character = next_code_point(word, at).value();
    if (is_of_kind(character, CharacterKind::kPunctuation)) continue;
    begin = std::min(begin, first);
    end = at;
  }
  if (begin >= end) begin = 0, end = word.size();
  return fmt::format("{}<{}>{}</{}>{}", word.substr(0, begin), name,
                     word.substr(begin, end - begin), name, word.substr(end));
}

}  // namespace

bool add_tags(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws) {
  constexpr std::array kNames = {"b", "i", "u", "em", "strong", "span"};
  const WordLinks links = links_for_tags(pair);
  if (links.empty()) return false;
  const auto [source, target] = draw_item(links, draws);
  const std::string name = draw_item(kNames, draws);
  for (std::string* word :
       {&pair.sides[pair.aligned].words[source].text, &pair.sides.back().words[target].text})
    *word = tagged(*word, name);
  return true;
}

bool insert_emoji(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws) {
  return insert(pair, draw_emoji(draws), draws);
}

bool insert_url(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws) {
  return insert(pair, draw_url(draws), draws);
}

bool insert_placeholder(AugmentedPair& pair, const AugmentConfig& config, RandomStream& draws) {
  constexpr std::array kPlaceholders = {"{0}",        "{1}", "{name}", "{count}",
                                        "%s",         "%d",  "%1$s",   "{{user}}",
                                        "{{amount}}", "$1",  "__ID__", "<x/>"};
  return insert(pair, draw_item(kPlaceholders, draws), draws);
}

}  // namespace heed
