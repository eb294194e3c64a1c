#include "serve/served_glossary.h"

#include <algorithm>

#include "base/unspaced.h"
#include "base/utf8.h"

namespace heed {

ServedGlossary::ServedGlossary(std::vector<Entry> entries) : entries_(std::move(entries)) {
  for (const auto& [term, translation] : entries_) {
    by_term_.emplace(term, translation);
    longest_ = std::max(longest_, term.size());
  }
}

std::vector<std::string> ServedGlossary::phrases_for(std::string_view text) const {
  const std::string whole = replace_malformed(text);
  const std::vector<std::string_view> characters = code_points(whole);
  // True if a word may begin or end before this character.
  const auto is_boundary = [&](size_t i) {
    return i == 0 || i == characters.size() || !is_part_of_word(characters[i - 1]) ||
           !is_part_of_word(characters[i]);
  };
  std::vector<std::string> phrases;
  for (size_t begin = 0; begin < characters.size();) {
    const std::string* found = nullptr;
    size_t next = begin + 1, bytes = 0;
    for (size_t end = begin; is_boundary(begin) && end < characters.size();) {
      bytes += characters[end++].size();
      if (bytes > longest_) break;
      if (!is_boundary(end)) continue;
      const auto term = by_term_.find(std::string_view(characters[begin].data(), bytes));
      if (term == by_term_.end()) continue;
      found = &term->second;
      next = end;
    }
    if (found != nullptr) phrases.push_back(*found);
    begin = next;
  }
  return phrases;
}

}  // namespace heed
