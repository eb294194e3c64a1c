#include "base/letter_counts.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

namespace heed {

LetterCounts letter_counts(std::string_view line) {
  LetterCounts found;
  const auto* bytes = reinterpret_cast<const uint8_t*>(line.data());
  for (size_t offset = 0; offset < line.size();) {
    UChar32 c = 0;
    U8_NEXT(bytes, offset, line.size(), c);
    if (c < 0 || !u_isalpha(c)) continue;
    const bool is_capital = u_isupper(c) || u_istitle(c), is_small = u_islower(c);
    if (found.capitals + found.small + found.others == 0) {
      found.first_is_capital = is_capital;
      found.first_is_small = is_small;
    }
    ++(is_capital ? found.capitals : is_small ? found.small : found.others);
  }
  return found;
}

}  // namespace heed
