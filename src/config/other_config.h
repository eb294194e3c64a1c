// Files that are given in the place of a config: configs of other toolkits, and files that are none.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "config/tree.h"

namespace heed {

// The toolkit whose config has such keys: "OpenNMT-py", "JoeyNMT", "Marian"; nullptr: none that is
// known.
const char* toolkit_of(const Node& config);

// True if a text has lines, and none at its beginning is `key:` or `key: value`: a corpus.
bool has_no_keys(std::string_view text);

}  // namespace heed
