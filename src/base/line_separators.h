// Characters at which programs end a line: LF, VT, FF, CR, FS, GS, RS, NEL (U+0085), LS (U+2028) and
// PS (U+2029), those of Python's str.splitlines(). Text of a model has none of them, so that a
// translation is one line, whoever reads it.
#pragma once

#include <string>
#include <string_view>

namespace heed {

bool has_line_separator(std::string_view text);

// A space in place of each.
std::string on_one_line(std::string text);

}  // namespace heed
