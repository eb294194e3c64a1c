#include "report/markup.h"

#include "base/utf8.h"

namespace heed {

namespace {

bool is_forbidden(std::string_view character) {
  if (character == "\uFFFE" || character == "\uFFFF") return true;
  const auto byte = static_cast<unsigned char>(character[0]);
  return byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string result;
  const std::string whole = replace_malformed(text);
  for (const auto character : code_points(whole)) {
    if (character == "&") {
      result += "&amp;";
    } else if (character == "<") {
      result += "&lt;";
    } else if (character == ">") {
      result += "&gt;";
    } else if (character == "\"") {
      result += "&quot;";
    } else if (character == "'") {
      result += "&#39;";
    } else {
      result += is_forbidden(character) ? "\uFFFD" : character;
    }
  }
  return result;
}

}  // namespace heed
