// Text inside SVG and HTML.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// As content or inside a quoted attribute. What XML does not allow (malformed bytes, control
// characters, U+FFFE, U+FFFF) becomes U+FFFD.
std::string escape_markup(std::string_view text);

}  // namespace heed
