#include "base/json_text.h"

#include <string_view>

#include <spdlog/fmt/fmt.h>

#include <nlohmann/json.hpp>

namespace heed {

namespace {

struct Escaped {
  unsigned int code = 0;  // of the character, 0: none to escape
  size_t size = 1;        // bytes
};

// The character at the beginning of the text, which is UTF-8, if the library does not escape it.
Escaped escaped(std::string_view text) {
  constexpr unsigned char kDelete = 0x7F, kTwoBytes = 0xC2, kFirst = 0x80, kLast = 0x9F;
  const auto first = static_cast<unsigned char>(text[0]);
  if (first == kDelete) return {.code = kDelete};
  if (first == kTwoBytes) {
    const auto second = static_cast<unsigned char>(text[1]);
    if (second >= kFirst && second <= kLast) return {.code = second, .size = 2};
  }
  if (text.starts_with("\u2028")) return {.code = 0x2028, .size = 3};
  if (text.starts_with("\u2029")) return {.code = 0x2029, .size = 3};
  return {};
}

}  // namespace

// Such characters occur only inside of strings.
std::string json_text(const nlohmann::ordered_json& json, int indent) {
  const std::string text = json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const Escaped one = escaped(std::string_view(text).substr(i));
    if (one.code > 0)
      result += fmt::format("\\u{:04x}", one.code);
    else
      result += text[i];
    i += one.size;
  }
  return result;
}

}  // namespace heed
