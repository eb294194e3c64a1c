#include "results/cell_text.h"

#include <spdlog/fmt/fmt.h>

#include "base/printable.h"

namespace heed {

namespace {

// nullptr: the character stands for itself.
const char* latex_of(char character) {
  switch (character) {
    case '\\':
      return "\\textbackslash{}";
    case '{':
      return "\\{";
    case '}':
      return "\\}";
    case '$':
      return "\\$";
    case '&':
      return "\\&";
    case '#':
      return "\\#";
    case '%':
      return "\\%";
    case '_':
      return "\\_";
    case '^':
      return "\\textasciicircum{}";
    case '~':
      return "\\textasciitilde{}";
    case '<':
      return "\\textless{}";
    case '>':
      return "\\textgreater{}";
    case '|':
      return "\\textbar{}";
    case '"':  // the closing quote in OT1, a command with babel's German
      return "\\texttt{\\char34}";
    case '`':
      return "\\texttt{\\char96}";
    case '\'':
      return "\\texttt{\\char39}";
    case '[':
      return "{[}";
    case ']':
      return "{]}";
    case '*':
      return "{*}";
    case '-':  // two of them would be a dash
      return "-{}";
    default:
      return nullptr;
  }
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char character : text) {
    if (character == '"') field += '"';
    field += character;
  }
  return field + "\"";
}

// end: of a line
std::string join_fields(const Records& records, const char* separator, const char* end,
                        std::string (*field)(std::string_view)) {
  std::string text;
  for (const auto& record : records) {
    for (size_t i = 0; i < record.size(); ++i) text += (i == 0 ? "" : separator) + field(record[i]);
    text += end;
  }
  return text;
}

}  // namespace

std::string latex_text(std::string_view text) {
  std::string escaped;
  const std::string shown = printable(text);
  for (size_t i = 0; i < shown.size(); ++i) {
    const char* command = latex_of(shown[i]);
    const bool is_single_dash = shown[i] == '-' && (i + 1 == shown.size() || shown[i + 1] != '-');
    if (command == nullptr || is_single_dash) {
      escaped += shown[i];
    } else {
      escaped += command;
    }
  }
  return escaped;
}

std::string markdown_text(std::string_view text) {
  constexpr std::string_view kMarkup = "\\`*_[]<>~|&$#^";
  std::string escaped;
  for (const char character : printable(text)) {
    if (kMarkup.find(character) != std::string_view::npos) escaped += '\\';
    escaped += character;
  }
  return escaped;
}

std::string field_of(const std::optional<double>& number) {
  return number ? fmt::format("{}", *number) : "";
}

std::string csv_text(const Records& records) {
  return join_fields(records, ",", "\r\n", csv_field);
}

std::string tsv_text(const Records& records) { return join_fields(records, "\t", "\n", printable); }

}  // namespace heed
