// Text from outside (names of files, keys of a config, lines of a corpus) as a terminal may show it.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// Control characters as \n, \t, \x1b, \u009b and malformed bytes as \xff, so that no text moves the
// cursor, clears the screen or begins a line of its own. A backslash stays as it is.
std::string printable(std::string_view text);

}  // namespace heed
