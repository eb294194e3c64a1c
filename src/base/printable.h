// Makes text from outside (file names, config keys, corpus lines) safe to show on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// Control characters and line separators become \n, \t, \x1b, \u009b or \u2028, malformed bytes
// \xff: no text can move the cursor, clear the screen or begin a new line. A backslash stays as it
// is.
std::string printable(std::string_view text);

}  // namespace heed
