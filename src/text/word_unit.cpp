#include "text/word_unit.h"

#include "base/unspaced.h"
#include "base/utf8.h"

namespace heed {

WordUnit unit_of(WordUnit unit, std::string_view line) {
  if (unit != WordUnit::kByLine) return unit;
  return count_scripts(trimmed(line, " \t\r")).is_unspaced() ? WordUnit::kCharacters
                                                             : WordUnit::kSpaces;
}

std::vector<std::string> split_words(std::string_view line, WordUnit unit) {
  return unit_of(unit, line) == WordUnit::kCharacters ? split_characters(line) : split_words(line);
}

void WordUnitSurvey::add(std::string_view line) {
  ++lines_;
  if (!is_utf8(line)) return;
  const ScriptCount scripts = count_scripts(trimmed(line, " \t\r"));
  if (2 * scripts.unspaced <= scripts.letters) return;
  ++own_;
  unspaced_ += scripts.is_unspaced() ? 1 : 0;
}

WordUnit WordUnitSurvey::unit() const {
  constexpr int64_t kOneIn = 100;
  if (own_ * kOneIn < lines_ || own_ == 0) return WordUnit::kByLine;
  return 2 * unspaced_ > own_ ? WordUnit::kCharacters : WordUnit::kSpaces;
}

}  // namespace heed
