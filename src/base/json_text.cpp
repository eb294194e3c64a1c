#include "base/json_text.h"

#include <nlohmann/json.hpp>

#include "base/line_separators.h"
#include "base/replace_all.h"

namespace heed {

// The library escapes separators below U+0020. The others occur only inside strings.
std::string json_text(const nlohmann::ordered_json& json) {
  std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (!has_line_separator(text)) return text;
  for (const auto& [separator, escape] :
       {std::pair("\u0085", "\\u0085"), {"\u2028", "\\u2028"}, {"\u2029", "\\u2029"}})
    text = replace_all(std::move(text), separator, escape);
  return text;
}

}  // namespace heed
