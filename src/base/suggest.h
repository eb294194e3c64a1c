// "did you mean": the nearest of the allowed words by edit distance with transpositions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

// The nearest candidate no further away than a third of the word's length (at least 1), or "".
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean 'x'?" or "".
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace heed
