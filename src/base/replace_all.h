#pragma once

#include <string>
#include <string_view>

namespace heed {

// Every occurrence of `from` (not empty), from left to right; what was written is not looked at
// again.
std::string replace_all(std::string text, std::string_view from, std::string_view to);

}  // namespace heed
