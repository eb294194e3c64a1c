// Punctuation of Western languages apart from words, as mteval-v13a and Tercom separate it. A text
// goes through `separate_marks`, then through `separate_number_marks`.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// &quot; &amp; &lt; &gt;
std::string unescape_entities(std::string text);

// ASCII punctuation but for the apostrophe, comma, hyphen and period: each mark between spaces.
std::string separate_marks(std::string_view text);
// Periods and commas, unless between digits; hyphens behind digits.
std::string separate_number_marks(std::string_view text);

}  // namespace heed
