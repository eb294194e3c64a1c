// White space as the reference tools see it: the fixed set of characters at which Python's
// str.split() splits.
#pragma once

#include <string_view>
#include <vector>

namespace heed {

// The words between runs of white space, views into well-formed `text`.
std::vector<std::string_view> words_of(std::string_view text);

// Without white space at the end, and at both ends.
std::string_view strip_right(std::string_view text);
std::string_view strip(std::string_view text);

}  // namespace heed
