#include "sweep/sweep.h"

#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "config/sizes.h"

namespace heed {

namespace {

struct SweepOptions {
  SweepRequest request;
  std::string format = "text";
  bool dry_run = false;
};

std::string print(const SweepTable& table, const std::string& format) {
  if (format == "json") return json_table(table);
  if (format == "tsv") return tsv_table(table);
  return text_table(table, terminal_width(STDOUT_FILENO));
}

int run_sweep(const SweepOptions& options) {
  const SweepPlan plan = plan_sweep(options.request);
  if (options.dry_run) {
    print_result(options.format == "json"  ? plan_json(plan)
                 : options.format == "tsv" ? plan_tsv(plan)
                                           : describe_plan(plan));
    return 0;
  }
  const SweepOutcome outcome = run_sweep(plan);
  if (outcome.table) print_result(print(*outcome.table, options.format));
  return outcome.exit_code;
}

}  // namespace

void add_sweep(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "sweep", "Train a config under several settings and seeds, and print a table");
  auto options = std::make_shared<SweepOptions>();
  command->add_option("CONFIG", options->request.config, "The config, YAML, with a section `sweep`")
      ->required()
      ->type_name("");
  add_repeated(*command, "--set", options->request.set,
               "KEY=VALUE instead of the value in the config, for all runs")
      ->type_name("KEY=VALUE");
  command
      ->add_option("--run", options->request.run,
                   "Folder of the runs, from the current folder; instead of sweep.folder")
      ->type_name("FOLDER");
  command
      ->add_option("--jobs", options->request.jobs,
                   "Number of runs at the same time, instead of sweep.jobs")
      ->type_name("N")
      ->check(whole_number(kThreads));
  command->add_flag("--retrain", options->request.retrain,
                    "Train runs anew whose settings have changed since they were trained");
  command->add_flag("--dry-run", options->dry_run,
                    "Print the runs with their settings and commands; train and write nothing");
  command
      ->add_option("--format", options->format,
                   "text, tsv, or json, a list with an object for each setting, or for each run of "
                   "--dry-run (text)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"text", "json", "tsv"}));
  command->callback([&chosen, options] { chosen = [options] { return run_sweep(*options); }; });
}

}  // namespace heed
