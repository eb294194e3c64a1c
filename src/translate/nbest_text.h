// Text in a column of an n-best list, whose columns are separated by |||.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// A text with ||| in it has a backslash between bars that would follow each other: |\|\|. Bars of the
// text that have backslashes between them get one more, so that column_text() gives the text back.
std::string text_column(std::string_view text);
std::string column_text(std::string_view column);

}  // namespace heed
