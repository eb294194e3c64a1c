// Names of columns as they are usual in the first lines of tables.
#pragma once

#include <string>

namespace heed {

// "source", "tgt", "text", codes of languages.
bool is_column_name(const std::string& cell);

}  // namespace heed
