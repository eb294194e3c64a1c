// Characters that end a line for some programs: LF, VT, FF, CR, FS, GS, RS, NEL (U+0085), LS
// (U+2028) and PS (U+2029), the set of Python's str.splitlines(). Text of a model holds no such
// character, so every program reads a translation as one line.
#pragma once

#include <string>
#include <string_view>

namespace heed {

bool has_line_separator(std::string_view text);

// Replaces each separator by a space.
std::string on_one_line(std::string text);

}  // namespace heed
