#include "cli/wrong_usage.h"

#include <map>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/suggest.h"
#include "cli/arguments.h"

namespace heed {

namespace {

const CLI::App* named_command(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return command;
}

std::string name_of(const CLI::App* command) {
  std::string name = command->get_name();
  while ((command = command->get_parent()) != nullptr) name = command->get_name() + " " + name;
  return name;
}

const CLI::App* sub_command(const CLI::App& command, const std::string& name) {
  for (const CLI::App* sub : command.get_subcommands(nullptr)) {
    if (sub->get_name() == name) return sub;
  }
  return nullptr;
}

std::vector<std::string> sub_command_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* sub : command.get_subcommands(nullptr)) {
    if (!sub->get_group().empty()) names.push_back(sub->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

bool is_option(const std::string& argument) {
  return argument.starts_with("-") && argument.size() > 1;
}

bool is_given(const CLI::App& command, const char* name) {
  const CLI::Option* option = command.get_option_no_throw(name);
  return option != nullptr && option->count() > 0;
}

// "; files are given by -i FILE", where a file was given without its option.
std::string file_options(const CLI::App& command) {
  std::vector<std::string> options;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group() != kInputGroup || option->get_type_name() != "FILE") continue;
    const bool is_short = !option->get_snames().empty();
    options.push_back(is_short ? fmt::format("-{} FILE", option->get_snames().front())
                               : fmt::format("--{} FILE", option->get_lnames().front()));
  }
  if (options.empty()) return "";
  return fmt::format("; files are given by {}", fmt::join(options, ", "));
}

// "; did you mean 'heed evaluate'?" for names that commands have elsewhere.
std::string usual_command(const std::string& argument) {
  static const std::map<std::string, const char*> known = {
      {"resume", "heed train CONFIG --resume"},
      {"continue", "heed train CONFIG --resume"},
      {"version", "heed --version"},
      {"decode", "heed translate"},
      {"predict", "heed translate"},
      {"eval", "heed evaluate"},
      {"test", "heed evaluate"}};
  const auto found = known.find(argument);
  return found == known.end() ? "" : fmt::format("; did you mean '{}'?", found->second);
}

// Message for an argument that names no command; "" if the command takes arguments.
std::string explain_command(const CLI::App& command, const std::string& argument) {
  std::vector<std::string> names = sub_command_names(command);
  const bool has_commands = !names.empty();
  names.emplace_back("help");
  if (argument == "help" || (has_commands && nearest(argument, names) == "help"))
    return fmt::format(
        "unknown command '{}'; write --help behind the command, or behind `heed` alone", argument);
  if (!has_commands) return "";
  const std::string usual = command.get_parent() == nullptr ? usual_command(argument) : "";
  return fmt::format("unknown command '{}'{}", argument,
                     usual.empty() ? did_you_mean(argument, names) : usual);
}

// Hint for an option of other commands: its name in this one, or "" if none is known.
std::string other_name(const CLI::App& command, const std::string& option) {
  static const std::set<std::string> texts = {"-i", "--input", "-s", "--source"},
                                     models = {"-m", "--model"};
  for (const char* own : {"-i", "-s"}) {
    if (texts.contains(option) && command.get_option_no_throw(own) != nullptr)
      return fmt::format("; the source text is given by {} FILE", own);
  }
  if (models.contains(option) && command.get_option_no_throw("MODEL") != nullptr)
    return fmt::format("; the model is named without an option: {} MODEL", name_of(&command));
  return "";
}

std::string explain_option(const CLI::App& command, const std::string& option) {
  std::string advice = other_name(command, option);
  if (advice.empty()) advice = did_you_mean(option, option_names(command));
  const bool has_config = command.get_option_no_throw("CONFIG") != nullptr &&
                          command.get_option_no_throw("--set") != nullptr;
  if (advice.empty() && has_config)
    advice = "; a key of the config is set by --set KEY=VALUE, such as --set train.max_epochs=3";
  return fmt::format("unknown option '{}'{}", option, advice);
}

// Message for an option that is written before the command that has it, or "".
std::string explain_early_option(const CLI::App& app) {
  const CLI::App* command = named_command(app);
  for (const CLI::App* above = command->get_parent(); above != nullptr;
       above = above->get_parent()) {
    for (const std::string& extra : above->remaining()) {
      const std::string option = extra.substr(0, extra.find('='));
      const bool is_known = is_option(extra) && command->get_option_no_throw(option) != nullptr;
      if (is_known)
        return fmt::format(
            "option '{0}' stands before the command; options of a command stand behind it: {1} "
            "… {0}",
            option, name_of(command));
    }
  }
  return "";
}

// Message for a setting without a value, or "".
std::string explain_setting(const CLI::App& command) {
  const CLI::Option* set = command.get_option_no_throw("--set");
  if (set == nullptr) return "";
  for (const std::string& setting : set->results()) {
    if (setting.find('=') == std::string::npos)
      return fmt::format("--set {0}: expected KEY=VALUE without spaces: --set {0}=VALUE", setting);
  }
  return "";
}

[[noreturn]] void refuse(const CLI::App& app, const std::string& wrong) {
  throw_error(ErrorKind::kUsage, "{}; see `{} --help`", wrong, full_name(app));
}

}  // namespace

std::string full_name(const CLI::App& app) { return name_of(named_command(app)); }

void refuse_single_hyphens(const CLI::App& app, int argc, const char* const* argv) {
  constexpr size_t kShort = 2;  // "-i"
  const CLI::App* command = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i], name = argument.substr(0, argument.find('='));
    if (argument == "--") return;
    if (const CLI::App* sub = sub_command(*command, argument)) command = sub;
    if (name.size() <= kShort || name[0] != '-' || name[1] == '-') continue;
    if (name != "-help" && command->get_option_no_throw("-" + name) != nullptr)
      throw_error(ErrorKind::kUsage, "unknown option '{0}'; did you mean '-{0}'?; see `{1} --help`",
                  name, name_of(command));
  }
}

void refuse_unknown_command(const CLI::App& app) {
  for (const std::string& extra : app.remaining(true)) {
    if (is_option(extra)) continue;
    const std::string wrong = explain_command(*named_command(app), extra);
    if (!wrong.empty()) refuse(app, wrong);
  }
}

void refuse_settings_without_value(const CLI::App& app) {
  const std::string wrong = explain_setting(*named_command(app));
  if (!wrong.empty()) refuse(app, wrong);
}

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = *named_command(app);
  const std::vector<std::string> extras = app.remaining(true);
  for (const std::string& wrong : {explain_early_option(app), explain_setting(command)})
    if (!wrong.empty()) return wrong;
  for (const std::string& extra : extras) {
    if (is_option(extra)) return explain_option(command, extra.substr(0, extra.find('=')));
    if (const std::string wrong = explain_command(command, extra); !wrong.empty()) return wrong;
  }
  if (!extras.empty())
    return fmt::format("unexpected argument '{}'{}", extras.front(), file_options(command));
  const std::vector<std::string> subs = sub_command_names(command);
  if (!subs.empty()) return fmt::format("expected a command: {}", fmt::join(subs, ", "));
  if (is_given(command, "--input") && is_given(command, "--model"))
    return "--input excludes --model: --input is text to evaluate, and the source text that "
           "--model "
           "translates is given by -s";
  return error.what();
}

}  // namespace heed
