#include "data/column_names.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/language_code.h"
#include "base/utf8.h"

namespace heed {

bool is_column_name(const std::string& cell) {
  constexpr std::array<std::string_view, 11> kNames{"source", "target",   "src",        "tgt",
                                                    "trg",    "input",    "output",     "text",
                                                    "label",  "sentence", "translation"};
  if (!is_utf8(cell)) return false;
  return std::ranges::count(kNames, lower_case(cell)) > 0 || !language_code(cell).empty();
}

}  // namespace heed
