#include "base/json_text.h"

#include <nlohmann/json.hpp>

#include "base/line_separators.h"
#include "base/replace_all.h"

namespace heed {

// The library escapes those below U+0020; the others can stand in strings alone.
std::string json_text(const nlohmann::ordered_json& json) {
  std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (!has_line_separator(text)) return text;
  for (const auto& [separator, escape] :
       {std::pair("\u0085", "\\u0085"), {"\u2028", "\\u2028"}, {"\u2029", "\\u2029"}})
    text = replace_all(std::move(text), separator, escape);
  return text;
}

}  // namespace heed
