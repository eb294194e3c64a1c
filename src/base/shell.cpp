#include "base/shell.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <string_view>

namespace heed {

namespace {

bool is_plain(char c) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-=:,@%+";
  return kPlain.find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0x80;
}

bool is_control(char c) {
  constexpr unsigned char kFirstPrintable = 0x20, kDelete = 0x7F;
  const auto byte = static_cast<unsigned char>(c);
  return byte < kFirstPrintable || byte == kDelete;
}

// $'…', which stays readable where control characters are shown escaped.
std::string escaped_word(const std::string& word) {
  std::string quoted = "$'";
  for (const char c : word) {
    if (is_control(c)) {
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      quoted += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    }
  }
  return quoted + "'";
}

}  // namespace

std::string shell_word(const std::string& word) {
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  if (std::ranges::any_of(word, is_control)) return escaped_word(word);
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace heed
