#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "results/run_list.h"
#include "results/run_table.h"

namespace heed {

namespace {

struct RunsOptions {
  std::vector<std::string> folders;
  std::string format = "text", order = "score";
  bool group = false;
};

const std::map<std::string, RunOrder> kRunOrders = {{"score", RunOrder::kScore},
                                                    {"name", RunOrder::kName},
                                                    {"updates", RunOrder::kUpdates},
                                                    {"time", RunOrder::kTime}};

std::string print(const RunTable& table, const std::string& format) {
  if (format == "json") return json_table(table);
  if (format == "tsv") return tsv_table(table);
  return text_table(table, terminal_width(STDOUT_FILENO));
}

int run_runs(const RunsOptions& options) {
  std::vector<RunSummary> runs = list_runs(options.folders);
  warn_of_scales(runs);
  RunTable table{options.group ? group_by_seed(runs) : single_runs(std::move(runs)), options.group};
  sort_groups(table.rows, kRunOrders.at(options.order));
  print_result(print(table, options.format));
  return 0;
}

}  // namespace

void add_runs(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "runs", "List runs: state, best score, test scores, and the settings that differ");
  auto options = std::make_shared<RunsOptions>();
  add_positionals(*command, "FOLDER", options->folders,
                  "Runs, folders with runs, or folders with folders of runs")
      ->required()
      ->type_name("");
  command->add_flag("--group", options->group,
                    "One row for runs that differ by `seed` alone: mean and standard deviation of "
                    "their scores");
  command
      ->add_option("--format", options->format,
                   "text, tsv, or json, a list with an object for each run (text)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"text", "json", "tsv"}));
  command
      ->add_option("--sort", options->order,
                   "score, the best first; name; updates or time, the most first (score)")
      ->type_name("NAME")
      ->check(CLI::IsMember(kRunOrders));
  command->callback([&chosen, options] { chosen = [options] { return run_runs(*options); }; });
}

}  // namespace heed
