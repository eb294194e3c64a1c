#include "serve/event_text.h"

#include <algorithm>

#include "base/error.h"

namespace heed {

std::string event_text(std::string_view name, std::string_view data) {
  HEED_CHECK(name.find_first_of("\r\n") == std::string_view::npos);
  std::string text = fmt::format("event: {}\n", name);
  for (bool more = true; more;) {
    const size_t end = data.find_first_of("\r\n");
    text += fmt::format("data: {}\n", data.substr(0, end));
    more = end != std::string_view::npos;
    if (more) data.remove_prefix(end + (data.substr(end).starts_with("\r\n") ? 2 : 1));
  }
  return text + "\n";
}

}  // namespace heed
