#include "cli/completion/completion.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "base/shell.h"

namespace heed {

namespace {

// The names of all commands, as patterns of `case`.
std::string command_patterns(const CommandNode& root) {
  std::vector<std::string> patterns;
  for (const CommandNode* command : all_commands(root)) {
    if (command != &root) patterns.push_back("'" + command->name + "'");
  }
  return fmt::format("{}", fmt::join(patterns, "|"));
}

std::vector<std::string> option_names_of(const CommandNode& command) {
  std::vector<std::string> words;
  for (const CommandOption& option : command.options) {
    if (!option.is_positional) words.insert(words.end(), option.names.begin(), option.names.end());
  }
  return words;
}

std::vector<std::string> names_below(const CommandNode& command) {
  std::vector<std::string> names;
  for (const CommandNode& below : command.commands) names.push_back(below.last_name());
  return names;
}

// ---- bash

constexpr const char* kBash = R"(# Completion of heed for bash, made by `heed completion bash`.
_heed() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command=heed i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command ${{COMP_WORDS[i]}}" in
      {}) command="$command ${{COMP_WORDS[i]}}" ;;
    esac
  done
  COMPREPLY=()
  case "$command $previous" in
{}  esac
  case "$command" in
{}  esac
}}
complete -o filenames -F _heed heed
)";

std::string bash_values(const CommandNode& command, const CommandOption& option) {
  std::vector<std::string> patterns;
  for (const std::string& name : option.names)
    patterns.push_back("'" + command.name + " " + name + "'");
  std::string action = "return";
  if (!option.choices.empty())
    action = fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$current\")); return",
                         fmt::join(option.choices, " "));
  if (option.names_file()) action = "mapfile -t COMPREPLY < <(compgen -f -- \"$current\"); return";
  return fmt::format("    {}) {} ;;\n", fmt::join(patterns, "|"), action);
}

// Completions of the arguments of a command: sub-commands, fixed choices, or files.
std::string bash_arguments(const CommandNode& command) {
  std::vector<std::string> words = names_below(command);
  for (const CommandOption& option : command.options) {
    if (option.is_positional)
      words.insert(words.end(), option.choices.begin(), option.choices.end());
  }
  return words.empty()
             ? "mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
             : fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$current\"))", fmt::join(words, " "));
}

std::string bash_words(const CommandNode& command) {
  return fmt::format(
      "    '{}') if [[ $current == -* ]]; then COMPREPLY=($(compgen -W '{}' -- \"$current\")); "
      "else "
      "{}; fi ;;\n",
      command.name, fmt::join(option_names_of(command), " "), bash_arguments(command));
}

// ---- zsh

std::string function_name(const CommandNode& command) {
  std::string name = "_" + command.name;
  std::ranges::replace(name, ' ', '_');
  return name;
}

// Escapes text for a specification of _arguments inside single quotes.
std::string zsh_escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return escaped;
}

std::string zsh_value(const CommandOption& option) {
  if (option.value.empty() && !option.is_positional) return "";
  const std::string label = zsh_escaped(option.is_positional ? option.names[0] : option.value);
  if (!option.choices.empty())
    return fmt::format(":{}:({})", label, fmt::join(option.choices, " "));
  return fmt::format(":{}:{}", label, option.names_file() ? "_files" : " ");
}

std::string zsh_option(const CommandOption& option) {
  if (option.is_positional)
    return fmt::format("'{}{}'", option.is_repeated ? "*" : "", zsh_value(option));
  const std::string rest =
      fmt::format("'[{}]{}'", zsh_escaped(option.description), zsh_value(option));
  const std::string names = option.names.size() == 1
                                ? option.names[0]
                                : fmt::format("{{{}}}", fmt::join(option.names, ","));
  return option.is_repeated ? fmt::format("'*'{}{}", names, rest)
                            : fmt::format("'({})'{}{}", fmt::join(option.names, " "), names, rest);
}

std::string zsh_function(const CommandNode& command) {
  std::string text = fmt::format("{}() {{\n", function_name(command));
  std::string specifications;
  for (const CommandOption& option : command.options)
    specifications += " \\\n    " + zsh_option(option);
  if (command.commands.empty()) return text + "  _arguments -S" + specifications + "\n}\n";
  text += "  local -a commands; local state line; commands=(\n";
  for (const CommandNode& below : command.commands)
    text += fmt::format("    '{}:{}'\n", below.last_name(), zsh_escaped(below.description));
  text += "  )\n  _arguments -C" + specifications +
          " \\\n    '1:command:->command' '*::argument:->rest'\n"
          "  case $state in\n    command) _describe command commands ;;\n    rest)\n"
          "      case $line[1] in\n";
  for (const CommandNode& below : command.commands)
    text += fmt::format("        {}) {} ;;\n", below.last_name(), function_name(below));
  return text + "      esac ;;\n  esac\n}\n";
}

// ---- fish

constexpr const char* kFish = R"(# Completion of heed for fish, made by `heed completion fish`.
function __heed_command
  set -l command heed
  for word in (commandline -opc)[2..-1]
    if contains -- "$command $word" {}
      set command "$command $word"
    end
  end
  echo $command
end
complete -c heed -f
)";

std::string fish_option(const CommandOption& option) {
  std::string line;
  for (const std::string& name : option.names)
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (!option.value.empty()) line += option.names_file() ? " -r -F" : " -x";
  if (!option.choices.empty()) line += fmt::format(" -a '{}'", fmt::join(option.choices, " "));
  return line + " -d " + shell_word(option.description);
}

std::string fish_lines(const CommandNode& command) {
  const std::string begin =
      fmt::format("complete -c heed -n 'test (__heed_command) = \"{}\"'", command.name);
  std::string text;
  for (const CommandNode& below : command.commands)
    text +=
        fmt::format("{} -a {} -d {}\n", begin, below.last_name(), shell_word(below.description));
  for (const CommandOption& option : command.options) {
    if (!option.is_positional) {
      text += begin + fish_option(option) + "\n";
    } else if (!option.choices.empty()) {
      text += fmt::format("{} -a '{}'\n", begin, fmt::join(option.choices, " "));
    }
  }
  if (command.commands.empty()) text += begin + " -F\n";
  return text;
}

}  // namespace

std::string bash_completion(const CommandNode& root) {
  std::string values, words;
  for (const CommandNode* command : all_commands(root)) {
    for (const CommandOption& option : command->options) {
      if (!option.is_positional && !option.value.empty()) values += bash_values(*command, option);
    }
    words += bash_words(*command);
  }
  return fmt::format(kBash, command_patterns(root), values, words);
}

std::string zsh_completion(const CommandNode& root) {
  std::string text =
      "#compdef heed\n# Completion of heed for zsh, made by `heed completion zsh`.\n";
  for (const CommandNode* command : all_commands(root)) text += zsh_function(*command);
  return text +
         "if [ \"$funcstack[1]\" = _heed ]; then _heed \"$@\"; else compdef _heed heed; fi\n";
}

std::string fish_completion(const CommandNode& root) {
  std::string patterns = command_patterns(root);
  std::ranges::replace(patterns, '|', ' ');
  std::string text = fmt::format(kFish, patterns);
  for (const CommandNode* command : all_commands(root)) text += fish_lines(*command);
  return text;
}

}  // namespace heed
