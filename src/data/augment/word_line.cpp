#include "data/augment/word_line.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/error.h"
#include "base/utf8.h"

namespace heed {

namespace {

// Positions in split_words() of the words that each word has become.
std::vector<std::vector<size_t>> positions_of(const WordLine& line) {
  const std::string text = line.text();
  std::vector<std::pair<size_t, size_t>> spans;  // bytes of the words of the text
  size_t at = 0;
  for (const std::string& word : split_words(text, line.unit)) {
    at = text.find(word, at);
    spans.emplace_back(at, at + word.size());
    at = spans.back().second;
  }
  std::vector<std::vector<size_t>> positions;
  size_t begin = 0;
  for (const LineWord& word : line.words) {
    begin += word.before.size();
    const size_t end = begin + word.text.size();
    std::vector<size_t>& own = positions.emplace_back();
    const auto first =
        std::ranges::partition_point(spans, [&](const auto& span) { return span.second <= begin; });
    for (auto span = first; span != spans.end() && span->first < end; ++span)
      own.push_back(static_cast<size_t>(span - spans.begin()));
    begin = end;
  }
  return positions;
}

bool is_alphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// True if `mark` occurs with a letter, a digit or a parenthesis behind it.
bool has_before_text(std::string_view word, char mark) {
  for (size_t at = word.find(mark); at != std::string_view::npos; at = word.find(mark, at + 1)) {
    if (at + 1 < word.size() && (is_alphanumeric(word[at + 1]) || word[at + 1] == '(')) return true;
  }
  return false;
}

}  // namespace

WordLine::WordLine(std::string_view line, WordUnit unit, std::string language)
    : unit(unit), language(std::move(language)) {
  size_t at = 0;
  for (std::string& word : split_words(line, unit)) {
    const size_t begin = line.find(word, at);
    HEED_CHECK(begin != std::string_view::npos);
    std::string before(line.substr(at, begin - at));
    at = begin + word.size();
    words.push_back({std::move(before), std::move(word)});
  }
  end = line.substr(at);
}

std::string WordLine::text() const {
  std::string line;
  for (const LineWord& word : words) line += word.before + word.text;
  return line + end;
}

const char* WordLine::separator() const {
  return unit_of(unit, text()) == WordUnit::kCharacters ? "" : " ";
}

void WordLine::insert(size_t position, std::string word) {
  const std::string between = separator();
  LineWord inserted{between, std::move(word)};
  if (position < words.size() && position == 0) {
    inserted.before = std::exchange(words.front().before, between);
  } else if (words.empty()) {
    inserted.before.clear();
  }
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(position), std::move(inserted));
}

std::vector<size_t> WordLine::masked_words() const {
  const auto positions = positions_of(*this);
  std::vector<size_t> masked;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].masked) masked.insert(masked.end(), positions[i].begin(), positions[i].end());
  }
  return masked;
}

template <class Change>
void AugmentedPair::for_links_of(size_t side, const Change& change) {
  if (!links || (side != aligned && side + 1 != sides.size())) return;
  for (auto& [source, target] : *links) change(side == aligned ? source : target);
}

void AugmentedPair::insert(size_t side, size_t position, std::string word) {
  sides[side].insert(position, std::move(word));
  for_links_of(side, [&](size_t& at) { at += at >= position ? 1 : 0; });
}

void AugmentedPair::erase(size_t side, size_t position) {
  std::vector<LineWord>& words = sides[side].words;
  if (position == 0 && words.size() > 1) words[1].before = words.front().before;
  words.erase(words.begin() + static_cast<std::ptrdiff_t>(position));
  if (links) {
    std::erase_if(*links, [&](const auto& link) {
      return (side == aligned && link.first == position) ||
             (side + 1 == sides.size() && link.second == position);
    });
  }
  for_links_of(side, [&](size_t& at) { at -= at > position ? 1 : 0; });
}

WordLinks AugmentedPair::single_links() const {
  if (!links) return {};
  const auto count = [&](auto end, size_t word) {
    return std::ranges::count_if(*links, [&](const auto& link) { return link.*end == word; });
  };
  WordLinks single;
  using Link = WordLinks::value_type;
  for (const Link& link : *links) {
    if (count(&Link::first, link.first) == 1 && count(&Link::second, link.second) == 1)
      single.push_back(link);
  }
  return single;
}

std::string AugmentedPair::links_line() const {
  const auto sources = positions_of(sides[aligned]), targets = positions_of(sides.back());
  std::set<std::pair<size_t, size_t>> moved;
  for (const auto& [source, target] : links.value()) {
    for (const size_t i : sources.at(source)) {
      for (const size_t j : targets.at(target)) moved.emplace(i, j);
    }
  }
  std::string line;
  for (const auto& [i, j] : moved) line += fmt::format("{}{}-{}", line.empty() ? "" : " ", i, j);
  return line;
}

bool is_plain_word(std::string_view word) {
  if (word.find_first_of("<>_{}\\|") != std::string_view::npos) return false;
  if (word.find("://") != std::string_view::npos || word.starts_with("www.")) return false;
  if (word.find('&') != std::string_view::npos && word.find(';') != std::string_view::npos)
    return false;
  return !has_before_text(word, '@') && !has_before_text(word, '%') &&
         !has_before_text(word, '#') && !has_before_text(word, '$');
}

}  // namespace heed
