// Server-sent events (the HTML standard, section 9.2), as the page and other clients read them.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// An event with this name, without line breaks, and these data, which a client reads as they are; a
// CR in them becomes an LF.
std::string event_text(std::string_view name, std::string_view data);

}  // namespace heed
