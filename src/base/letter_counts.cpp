#include "base/letter_counts.h"

#include "base/unicode/unicode.h"
#include "base/utf8.h"

namespace heed {

LetterCounts letter_counts(std::string_view line) {
  LetterCounts found;
  for (size_t offset = 0; offset < line.size();) {
    const auto c = next_code_point(line, offset);
    if (!c || !is_of_kind(*c, CharacterKind::kLetter)) continue;
    const bool is_capital = is_of_kind(*c, CharacterKind::kCapital),
               is_small = is_of_kind(*c, CharacterKind::kSmall);
    if (found.capitals + found.small + found.others == 0) {
      found.first_is_capital = is_capital;
      found.first_is_small = is_small;
    }
    ++(is_capital ? found.capitals : is_small ? found.small : found.others);
  }
  return found;
}

}  // namespace heed
