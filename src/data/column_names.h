// Names of columns as they are usual in the first lines of tables.
#pragma once

#include <string>
#include <vector>

namespace heed {

// True if all cells of a row are names of columns: "source", "tgt", codes of languages such as
// "en", names of languages in English or in one of the languages named ("Englisch", "Deutsch"), or
// several short names with _ between them: "text_de".
bool are_column_names(const std::vector<std::string>& cells);

}  // namespace heed
