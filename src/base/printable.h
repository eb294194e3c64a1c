// Text from outside (names of files, keys of a config, lines of a corpus) as a terminal may show it.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// Control characters and line separators become \n, \t, \x1b, \u009b or \u2028, malformed bytes \xff:
// no text moves the cursor, clears the screen or begins a line of its own. A backslash stays as it is.
std::string printable(std::string_view text);

}  // namespace heed
