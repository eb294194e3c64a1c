#include "cli/command_line.h"

#include <string>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/arguments.h"
#include "cli/help_formatter.h"
#include "cli/wrong_usage.h"

namespace heed {

namespace {

constexpr const char* kFooter =
    "Results go to standard output, log and progress to standard error.\n"
    "Exit codes: 0 done, 1 failure, 2 usage or config, 3 bad input data, 4 unusable\n"
    "model, 5 file, disk or busy run, 6 training diverged, 129/130/143 stopped by a\n"
    "signal (train saves first).\n"
    "`heed COMMAND --help` describes a command, docs/command-line.md has examples.";

void declare(CLI::App& app, Chosen& chosen) {
  app.set_help_flag("-h,--help", "Print this help");
  app.set_version_flag("--version", "heed " HEED_VERSION, "Print the version");
  app.formatter(std::make_shared<HelpFormatter>());
  app.require_subcommand(1);
  app.footer(kFooter);
#define COMMAND(name) add_##name(app, chosen);
#include "cli/commands.def"
#undef COMMAND
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
  refuse_single_hyphens(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    refuse_unknown_command(app);
    print_result(app.help());
    return 0;
  } catch (const CLI::CallForVersion& version) {
    refuse_unknown_command(app);
    print_result(std::string(version.what()) + "\n");
    return 0;
  } catch (const CLI::ParseError& error) {
    throw_error(ErrorKind::kUsage, "{}; see `{} --help`", explain(app, error), full_name(app));
  }
  refuse_settings_without_value(app);
  set_up_log("info");
  return chosen();
}

}  // namespace heed
