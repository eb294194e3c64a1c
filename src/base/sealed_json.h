// JSON objects that begin with the hash of everything behind it: {"hash":"…", …}. A changed byte is
// found before any of them is interpreted.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// The text of a file. members: of the object, without its braces, `"a":1,"b":2`.
std::string seal_json(std::string_view members);
// False: it begins with no hash, or with another one.
bool has_seal(std::string_view text);

}  // namespace heed
