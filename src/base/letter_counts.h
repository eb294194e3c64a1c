// Capital and small letters of a line, by ICU.
#pragma once

#include <cstddef>
#include <string_view>

namespace heed {

struct LetterCounts {
  size_t capitals = 0, small = 0, others = 0;  // letters; others: of scripts without case
  bool first_is_capital = false, first_is_small = false;  // the first letter
  // Most letters have a case.
  bool is_cased() const { return capitals + small > others; }
};

// Malformed bytes do not count.
LetterCounts letter_counts(std::string_view line);

}  // namespace heed
