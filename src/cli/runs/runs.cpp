#include <map>

#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/metric_options.h"
#include "cli/runs/run_listing.h"

namespace heed {

namespace {

constexpr const char* kCellGroup = "Cells (means over seeds)";
constexpr IntRange kDecimals{0, 10};

const std::map<std::string, RunOrder> kRunOrders = {{"score", RunOrder::kScore},
                                                    {"name", RunOrder::kName},
                                                    {"updates", RunOrder::kUpdates},
                                                    {"time", RunOrder::kTime}};
const std::map<std::string, CellNumber> kCellNumbers = {{"mean", CellNumber::kMean},
                                                        {"min", CellNumber::kMin},
                                                        {"max", CellNumber::kMax},
                                                        {"runs", CellNumber::kRuns},
                                                        {"parameters", CellNumber::kParameters},
                                                        {"seconds", CellNumber::kSeconds}};
const std::map<std::string, SeedTest> kSeedTests = {{"randomization", SeedTest::kRandomization},
                                                    {"bootstrap", SeedTest::kBootstrap},
                                                    {"welch", SeedTest::kWelch}};

void add_output_options(CLI::App& command, RunsOptions& options) {
  command
      .add_option("--format", options.format,
                  "text, markdown, latex (with booktabs), tsv, csv, or json (text)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"text", "markdown", "latex", "json", "tsv", "csv"}));
  command
      .add_option_function<std::string>(
          "--sort", [&options](const std::string& name) { options.order = kRunOrders.at(name); },
          "score, the best first; name; updates or time, the most first (score)")
      ->type_name("NAME")
      ->check(CLI::IsMember(kRunOrders));
  command
      .add_option("--digits", options.digits,
                  "Decimals of scores in latex, markdown and tables of cells (by the metric)")
      ->type_name("N")
      ->check(whole_number(kDecimals));
  command.add_flag("--no-bold", options.no_bold,
                   "latex, markdown: do not print the best score of a column in bold");
}

// Names between commas.
CLI::Option* add_names(CLI::App& command, const char* name, std::vector<std::string>& values,
                       const char* help) {
  return add_repeated(command, name, values, help)->delimiter(',')->group(kCellGroup);
}

void add_cell_options(CLI::App& command, RunsOptions& options) {
  auto* by =
      add_names(command, "--by", options.by,
                "A row for each value of these settings (or sections of the config), the mean "
                "of its runs")
          ->type_name("KEY,...");
  command.add_option("--across", options.across, "A column for each value of this setting")
      ->type_name("KEY")
      ->needs(by)
      ->group(kCellGroup);
  command
      .add_option("--average", options.average,
                  "The mean, over the values of this setting, of the means over seeds")
      ->type_name("KEY")
      ->needs(by)
      ->group(kCellGroup);
  add_names(command, "--score", options.scores,
            "Scores: best, validation.METRIC, test.SET.METRIC (best)")
      ->type_name("NAME,...");
  auto* columns = command.add_option_function<std::vector<std::string>>(
      "--columns",
      [&options](const std::vector<std::string>& names) {
        for (const std::string& name : names) options.columns.push_back(kCellNumbers.at(name));
      },
      "mean, min, max, runs, parameters, seconds (runs,mean; with --across mean)");
  columns->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...")
      ->check(CLI::IsMember(kCellNumbers))
      ->group(kCellGroup);
}

void add_baseline_options(CLI::App& command, RunsOptions& options) {
  auto* baseline =
      command
          .add_option("--baseline", options.baseline,
                      "Row with which the others are compared: its values, or a run in it")
          ->type_name("NAME")
          ->group(kSignificanceGroup);
  command
      .add_option_function<std::string>(
          "--test",
          [&options](const std::string& name) { options.test.test = kSeedTests.at(name); },
          "randomization or bootstrap, of the translations of three or more seeds; welch, of the "
          "scores of five or more (randomization)")
      ->type_name("NAME")
      ->check(CLI::IsMember(kSeedTests))
      ->needs(baseline)
      ->group(kSignificanceGroup);
  for (CLI::Option* option :
       add_resampling(command, options.test.significance.samples, options.test.significance.seed,
                      "Number of samples (randomization: 10000; bootstrap: 1000)"))
    option->needs(baseline);
}

// The test of the resampling is that of the option, once all are read.
void set_test(RunsOptions& options) {
  if (options.test.test == SeedTest::kRandomization)
    options.test.significance.test = SignificanceTest::kRandomization;
}

}  // namespace

void add_runs(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "runs", "List runs: state, scores, settings that differ; tables of means over seeds");
  auto options = std::make_shared<RunsOptions>();
  add_positionals(*command, "FOLDER", options->folders,
                  "Runs, folders with runs, or folders with folders of runs")
      ->required()
      ->type_name("");
  auto* group =
      command->add_flag("--group", options->group,
                        "One row for runs that differ by `seed` alone: mean and standard deviation "
                        "of their scores");
  add_output_options(*command, *options);
  add_cell_options(*command, *options);
  add_baseline_options(*command, *options);
  group->excludes("--by");
  command->callback([&chosen, options] {
    set_test(*options);
    chosen = [options] { return run_runs(*options); };
  });
}

}  // namespace heed
