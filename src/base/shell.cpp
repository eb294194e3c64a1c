#include "base/shell.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <string_view>

#include "base/folder.h"
#include "base/printable.h"
#include "base/without_gz.h"

namespace heed {

namespace {

bool is_plain(char c) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-=:,@%+";
  return kPlain.find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0x80;
}

// $'…', byte by byte: \u009b would depend on the locale of the shell.
std::string escaped_word(const std::string& word) {
  std::string quoted = "$'";
  for (const char c : word) {
    const bool is_shown = c >= ' ' && c <= '~';
    if (!is_shown) quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    if (c == '\'' || c == '\\') quoted += '\\';
    if (is_shown) quoted += c;
  }
  return quoted + "'";
}

}  // namespace

std::string shell_word(const std::string& word) {
  if (printable(word) != word) return escaped_word(word);
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string new_name(const std::filesystem::path& file, const std::string& ending) {
  if (file == "-") return "NEW";
  std::filesystem::path base = without_gz(file);
  base.replace_extension();
  std::string name = base.string() + ending;
  for (const char* more : {".new", ".new2"}) {
    if (!is_there(name)) break;
    name = base.string() + more + ending;
  }
  return name;
}

std::string filter_command(const std::string& program, const std::filesystem::path& file,
                           const std::string& output, const std::string& then) {
  const std::string input = file == "-" ? "FILE" : shell_word(file.string());
  const bool is_packed = file.extension() == ".gz";
  return fmt::format("{}{} > {}",
                     is_packed ? fmt::format("gzip -dc {} | {} /dev/stdin", input, program)
                               : fmt::format("{} {}", program, input),
                     then, shell_word(output));
}

}  // namespace heed
