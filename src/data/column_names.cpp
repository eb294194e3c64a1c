#include "data/column_names.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "base/language_code.h"
#include "base/utf8.h"

namespace heed {

namespace {

// Between _.
bool is_short_name(const std::string& word) {
  constexpr std::array<std::string_view, 11> kNames{"source", "target",   "src",        "tgt",
                                                    "trg",    "input",    "output",     "text",
                                                    "label",  "sentence", "translation"};
  return std::ranges::count(kNames, word) > 0 || !language_code(word).empty();
}

bool is_joined_name(const std::string& cell) {
  for (size_t begin = 0;;) {
    const size_t end = std::min(cell.find('_', begin), cell.size());
    if (!is_short_name(cell.substr(begin, end - begin))) return false;
    if (end == cell.size()) return true;
    begin = end + 1;
  }
}

// True if all cells are names of languages. The cells are neither too long nor short names.
bool are_language_names(const std::vector<std::string>& cells) {
  std::set<std::string> known = language_names("en");
  for (const std::string& cell : cells) {
    if (const std::string own = language_of_own_name(cell); !own.empty())
      known.merge(language_names(own));
  }
  return std::ranges::all_of(cells, [&](const std::string& cell) { return known.contains(cell); });
}

}  // namespace

bool are_column_names(const std::vector<std::string>& cells) {
  constexpr size_t kLongest = 40;  // bytes
  std::vector<std::string> others;
  for (const std::string& cell : cells) {
    if (cell.empty() || cell.size() > kLongest || !is_utf8(cell)) return false;
    const std::string name = lower_case(cell);
    if (!language_code(cell).empty() || is_joined_name(name)) continue;
    others.push_back(name);
  }
  return others.empty() || are_language_names(others);
}

}  // namespace heed
