#include "cli/command_line.h"

#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/suggest.h"
#include "cli/arguments.h"
#include "cli/help_formatter.h"

namespace heed {

namespace {

constexpr const char* kFooter =
    "Results go to standard output, log and progress to standard error.\n"
    "Exit codes: 0 done, 1 failure, 2 usage or config, 3 bad input data, 4 unusable\n"
    "model, 5 file, disk or busy run, 6 training diverged, 129/130/143 stopped by a\n"
    "signal (train saves first).\n"
    "`heed COMMAND --help` describes a command, docs/command-line.md has examples.";

int print(const std::string& text) {
  AtomicFile out("-");
  out.write(text);
  out.commit();
  return 0;
}

// The deepest sub-command that was named: "heed config show".
const CLI::App* named_command(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return command;
}

std::string full_name(const CLI::App* command) {
  std::string name = command->get_name();
  while ((command = command->get_parent()) != nullptr) name = command->get_name() + " " + name;
  return name;
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

// "; files are given by -i FILE", for a file that was given without its option.
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

// Message for an argument that names no command; "" if the command takes arguments.
std::string explain_command(const CLI::App& command, const std::string& argument) {
  const std::vector<std::string> subs = sub_command_names(command);
  if (argument == "help")
    return "unknown command 'help'; write --help behind the command, or behind `heed` alone";
  if (subs.empty()) return "";
  return fmt::format("unknown command '{}'{}", argument, did_you_mean(argument, subs));
}

bool is_option(const std::string& argument) {
  return argument.starts_with("-") && argument.size() > 1;
}

// Refuses an unknown command. --help and --version suppress other errors, but not this one.
void refuse_unknown_command(const CLI::App& app) {
  const CLI::App* command = named_command(app);
  for (const std::string& extra : app.remaining(true)) {
    if (is_option(extra)) continue;
    const std::string wrong = explain_command(*command, extra);
    if (!wrong.empty())
      throw_error(ErrorKind::kUsage, "{}; see `{} --help`", wrong, full_name(command));
  }
}

// Error message with advice; keeps CLI11's text if it is good enough.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = *named_command(app);
  const std::vector<std::string> extras = app.remaining(true);
  for (const std::string& extra : extras) {
    if (is_option(extra)) {
      const std::string option = extra.substr(0, extra.find('='));
      return fmt::format("unknown option '{}'{}", option,
                         did_you_mean(option, option_names(command)));
    }
    if (const std::string wrong = explain_command(command, extra); !wrong.empty()) return wrong;
  }
  if (!extras.empty())
    return fmt::format("unexpected argument '{}'{}", extras.front(), file_options(command));
  const std::vector<std::string> subs = sub_command_names(command);
  if (!subs.empty()) return fmt::format("expected a command: {}", fmt::join(subs, ", "));
  return error.what();
}

void declare(CLI::App& app, Chosen& chosen) {
  app.set_help_flag("-h,--help", "Print this help");
  app.set_version_flag("--version", "heed " HEED_VERSION, "Print the version");
  app.formatter(std::make_shared<HelpFormatter>());
  app.require_subcommand(1);
  app.footer(kFooter);
  for (const auto add :
       {add_train,  add_translate, add_summarize, add_join,       add_serve,     add_generate,
        add_score,  add_evaluate,  add_compare,   add_inspect,    add_runs,      add_average,
        add_import, add_export,    add_vocab,     add_tokenize,   add_shortlist, add_split,
        add_config, add_attention, add_plot,      add_completion, add_manual}) {
    add(app, chosen);
  }
  group_options(app);
  refuse_empty_names(app);
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app(
      "Trains, applies, evaluates and visualizes sequence-to-sequence models with attention.",
      "heed");
  Chosen chosen;
  declare(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    refuse_unknown_command(app);
    return print(app.help());
  } catch (const CLI::CallForVersion& version) {
    refuse_unknown_command(app);
    return print(std::string(version.what()) + "\n");
  } catch (const CLI::ParseError& error) {
    const std::string name = full_name(named_command(app));
    throw_error(ErrorKind::kUsage, "{}; see `{} --help`", explain(app, error), name);
  }
  set_up_log("info");
  return chosen();
}

}  // namespace heed
