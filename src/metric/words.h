// White space as the reference tools see it: the fixed set of characters at which Python's
// str.split() splits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

// The words between runs of white space, views into well-formed `text`.
std::vector<std::string_view> words_of(std::string_view text);

// Why a metric of words between spaces says little of these references: most of their lines are of
// scripts without spaces between words, and have none. `instead`: what to use. Empty: they have spaces.
std::string caveat_of_unspaced(const std::vector<std::vector<std::string>>& references,
                               std::string_view instead);

// Without white space at the end, and at both ends.
std::string_view strip_right(std::string_view text);
std::string_view strip(std::string_view text);

}  // namespace heed
