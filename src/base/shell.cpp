#include "base/shell.h"

#include <algorithm>
#include <string_view>

#include "base/printable.h"

namespace heed {

namespace {

bool is_plain(char c) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-=:,@%+";
  return kPlain.find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0x80;
}

// $'…', in which what a message shows escaped is read as what it stands for.
std::string escaped_word(const std::string& word) {
  std::string plain;
  for (const char c : word)
    plain += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return "$'" + printable(plain) + "'";
}

}  // namespace

std::string shell_word(const std::string& word) {
  if (printable(word) != word) return escaped_word(word);
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace heed
