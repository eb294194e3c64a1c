#include "base/shell.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <string_view>

#include "base/compression/compressed_name.h"
#include "base/compression/stored_text.h"
#include "base/folder.h"
#include "base/printable.h"

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
  const StoredText text = find_stored(file);
  std::filesystem::path base =
      without_compression(text.member.empty() ? file : text.file.parent_path() / file.filename());
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
  const StoredText text = file == "-" ? StoredText{"FILE"} : find_stored(file);
  std::string input = shell_word(text.file.string());
  if (!text.member.empty()) input += " " + shell_word(text.member);
  const CompressionFormat* format = format_of_name(text.file);
  return fmt::format("{}{} > {}",
                     format == nullptr
                         ? fmt::format("{} {}", program, input)
                         : fmt::format("{} {} | {} /dev/stdin", format->command, input, program),
                     then, shell_word(output));
}

}  // namespace heed
