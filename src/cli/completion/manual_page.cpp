#include "cli/completion/completion.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <string_view>

#include "base/utf8.h"
#include "metric/code_points.h"

namespace heed {

namespace {

// A code point beyond ASCII by its number, which every roff knows.
std::string roff_character(std::string_view character) {
  if (character == "\\") return "\\e";
  if (character == "-") return "\\-";
  return character.size() == 1
             ? std::string(character)
             : fmt::format("\\[u{:04X}]", static_cast<uint32_t>(decode(character)));
}

std::string roff(const std::string& text) {
  std::string escaped;
  bool at_start = true;  // of a line, where roff has its requests
  for (const std::string_view character : code_points(text)) {
    if (at_start && (character == "." || character == "'")) escaped += "\\&";
    escaped += roff_character(character);
    at_start = character == "\n";
  }
  return escaped;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

std::string usage_of(const CommandOption& option) {
  const std::string name = italic(option.names[0]) + (option.is_repeated ? "..." : "");
  return option.is_required ? name : "[" + name + "]";
}

std::string synopsis(const CommandNode& command) {
  std::string line = bold(command.name);
  if (!command.commands.empty()) line += " " + italic("COMMAND");
  line += " [" + italic("OPTIONS") + "]";
  for (const CommandOption& option : command.options) {
    if (option.is_positional) line += " " + usage_of(option);
  }
  return ".SH SYNOPSIS\n" + line + "\n";
}

std::string entry(const CommandOption& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names)
    names.push_back(option.is_positional ? italic(name) : bold(name));
  std::string head = fmt::format("{}", fmt::join(names, ", "));
  if (!option.is_positional && !option.value.empty()) head += " " + italic(option.value);
  std::string text = roff(option.description);
  if (!option.choices.empty())
    text +=
        fmt::format("\n.br\nOne of {}.", roff(fmt::format("{}", fmt::join(option.choices, ", "))));
  return ".TP\n" + head + "\n" + text + "\n";
}

// Under their headings, in the order in which these appear.
std::string options_of(const CommandNode& command) {
  std::vector<std::string> groups;
  for (const CommandOption& option : command.options) {
    if (std::ranges::count(groups, option.group) == 0) groups.push_back(option.group);
  }
  std::string text = groups.empty() ? "" : ".SH OPTIONS\n";
  for (const std::string& group : groups) {
    if (groups.size() > 1) text += ".SS " + roff(group) + "\n";
    for (const CommandOption& option : command.options) {
      if (option.group == group) text += entry(option);
    }
  }
  return text;
}

std::string commands_of(const CommandNode& command) {
  std::string text = command.commands.empty() ? "" : ".SH COMMANDS\n";
  for (const CommandNode& below : command.commands)
    text += ".TP\n" + bold(manual_name(below)) + "(1)\n" + roff(below.description) + "\n";
  return text;
}

std::string see_also(const CommandNode& command, const CommandNode& root) {
  if (&command == &root) return "";
  return ".SH SEE ALSO\n" + bold(manual_name(root)) + "(1)\n";
}

std::string upper_case(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

}  // namespace

std::string manual_name(const CommandNode& command) {
  std::string name = command.name;
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string manual_page(const CommandNode& command, const CommandNode& root) {
  const std::string name = manual_name(command);
  std::string text =
      fmt::format(".TH {} 1 \"\" \"heed {}\" \"heed\"\n", upper_case(name), HEED_VERSION);
  text +=
      ".SH NAME\n" + roff(name) + " \\- " + roff(command.description) + "\n" + synopsis(command);
  text += commands_of(command) + options_of(command);
  if (!command.footer.empty()) text += ".SH NOTES\n.nf\n" + roff(command.footer) + "\n.fi\n";
  return text + see_also(command, root);
}

}  // namespace heed
