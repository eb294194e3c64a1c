#include "base/printable.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

#include "base/utf8.h"

namespace heed {

namespace {

// The controls of ISO 8859-1, U+0080 to U+009F: terminals take U+009B for ESC [.
bool is_c1_control(std::string_view c) {
  return c.size() == 2 && c[0] == '\xc2' && static_cast<unsigned char>(c[1]) < 0xa0;
}

std::string shown(std::string_view c) {
  constexpr char kDelete = 0x7f;
  if (c == "\n") return "\\n";
  if (c == "\t") return "\\t";
  if (c == "\r") return "\\r";
  if (c == "\u2028") return "\\u2028";
  if (c == "\u2029") return "\\u2029";
  if (is_c1_control(c)) return fmt::format("\\u{:04x}", static_cast<unsigned char>(c[1]));
  const bool control = c.size() == 1 && (static_cast<unsigned char>(c[0]) < ' ' || c[0] == kDelete);
  if (control) return fmt::format("\\x{:02x}", static_cast<unsigned char>(c[0]));
  return std::string(c);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const size_t valid = std::min(find_malformed(text), text.size());
    for (const std::string_view c : code_points(text.substr(0, valid))) result += shown(c);
    text.remove_prefix(valid);
    if (text.empty()) break;
    result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    text.remove_prefix(1);
  }
  return result;
}

}  // namespace heed
