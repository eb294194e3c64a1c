#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/run_list.h"
#include "cli/run_table.h"

namespace heed {

namespace {

struct RunsOptions {
  std::string folder;
  std::string format = "text", order = "score";
};

const std::map<std::string, RunOrder> kOrders = {{"score", RunOrder::kScore},
                                                 {"name", RunOrder::kName},
                                                 {"updates", RunOrder::kUpdates},
                                                 {"time", RunOrder::kTime}};

std::string table(const std::vector<RunSummary>& runs, const std::string& format) {
  if (format == "json") return json_table(runs);
  if (format == "tsv") return tsv_table(runs);
  return text_table(runs, terminal_width(STDOUT_FILENO));
}

int run_runs(const RunsOptions& options) {
  std::vector<RunSummary> runs = list_runs(options.folder);
  sort_runs(runs, kOrders.at(options.order));
  warn_of_scales(runs);
  AtomicFile out("-");
  out.write(table(runs, options.format));
  out.commit();
  return 0;
}

}  // namespace

void add_runs(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "runs", "List the runs in a folder: state, best score, and the settings that differ");
  auto options = std::make_shared<RunsOptions>();
  command->add_option("FOLDER", options->folder, "A folder with runs, or with folders of runs")
      ->required()
      ->type_name("");
  command
      ->add_option("--format", options->format,
                   "text, tsv, or json, a list with an object for each run (text)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"text", "json", "tsv"}));
  command
      ->add_option("--sort", options->order,
                   "score, the best first; name; updates or time, the most first (score)")
      ->type_name("NAME")
      ->check(CLI::IsMember(kOrders));
  command->callback([&chosen, options] { chosen = [options] { return run_runs(*options); }; });
}

}  // namespace heed
