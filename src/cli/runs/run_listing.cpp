#include "cli/runs/run_listing.h"

#include <unistd.h>

#include <algorithm>

#include "base/file.h"
#include "base/log.h"
#include "results/run_list.h"
#include "results/run_table.h"
#include "results/setting_values.h"

namespace heed {

namespace {

std::optional<int> chosen_decimals(const RunsOptions& options) {
  return options.digits ? std::optional(static_cast<int>(*options.digits)) : std::nullopt;
}

std::string print(const RunTable& table, const RunsOptions& options) {
  if (options.format == "json") return json_table(table);
  if (options.format == "tsv") return tsv_text(records_of(table));
  if (options.format == "csv") return csv_text(records_of(table));
  if (options.format == "text") return text_table(table, terminal_width(STDOUT_FILENO));
  const PaperTable paper = paper_table(table, chosen_decimals(options), !options.no_bold);
  return options.format == "latex" ? latex_table(paper) : markdown_table(paper);
}

bool is_for_paper(const RunsOptions& options) {
  return options.format == "latex" || options.format == "markdown";
}

// json, tsv and csv have all figures, in full precision, and paths in full.
bool is_complete(const RunsOptions& options) {
  return options.format != "text" && !is_for_paper(options);
}

// The chosen columns; else the means, and beside a single column the numbers of runs.
std::vector<CellNumber> columns_of(const RunsOptions& options) {
  if (!options.columns.empty()) return options.columns;
  if (options.across) return {CellNumber::kMean};
  return {CellNumber::kRuns, CellNumber::kMean};
}

std::string print(const PivotTable& table, const RunsOptions& options) {
  if (options.format == "json") return json_table(table);
  if (options.format == "tsv") return tsv_text(records_of(table));
  if (options.format == "csv") return csv_text(records_of(table));
  const PaperTable paper = paper_table(table, {.shown = columns_of(options),
                                               .decimals = chosen_decimals(options),
                                               .for_paper = is_for_paper(options),
                                               .bold = !options.no_bold});
  if (options.format == "latex") return latex_table(paper);
  if (options.format == "markdown") return markdown_table(paper);
  return text_table(paper, terminal_width(STDOUT_FILENO), row_headings(table.pivot));
}

PivotRequest request_of(const std::vector<RunSummary>& runs, const RunsOptions& options) {
  PivotRequest request{.full_values = is_complete(options)};
  for (const std::string& name : options.by) request.by.push_back(find_setting(runs, name, "--by"));
  if (options.across) request.across = find_setting(runs, *options.across, "--across");
  if (options.average) request.average = find_setting(runs, *options.average, "--average");
  return request;
}

std::vector<RunScore> scores_of(const std::vector<RunSummary>& runs, const RunsOptions& options) {
  std::vector<RunScore> scores;
  for (const std::string& name :
       options.scores.empty() ? std::vector<std::string>{"best"} : options.scores)
    scores.push_back(find_score(runs, name));
  return scores;
}

ParameterCounts parameters_in(const RunsOptions& options) {
  if (is_complete(options)) return ParameterCounts::kWhereKnown;
  const bool shown = std::ranges::count(options.columns, CellNumber::kParameters) > 0;
  return shown ? ParameterCounts::kNeeded : ParameterCounts::kLeftOut;
}

PivotTable cells_of(const std::vector<RunSummary>& runs, const RunsOptions& options) {
  const std::vector<RunScore> scores = scores_of(runs, options);
  Pivot pivot = make_pivot(options.group ? group_by_seed(runs) : single_runs(runs),
                           request_of(runs, options));
  sort_rows(pivot, scores.front(), options.order);
  std::optional<Baseline> baseline;
  if (options.baseline) {
    for (const RunScore& score : scores) check_test(options.test, score);
    baseline = {find_baseline(pivot, *options.baseline), options.test};
  }
  return make_pivot_table(std::move(pivot), scores, baseline, parameters_in(options));
}

void warn_of_idle_options(const RunsOptions& options) {
  const auto warn = [&](bool is_given, const char* option) {
    if (is_given) spdlog::warn("{}: no effect with --format {}", option, options.format);
  };
  const bool is_list = options.format == "text" && !options.makes_cells();
  warn(options.digits && (is_list || is_complete(options)), "--digits");
  warn(options.no_bold && !is_for_paper(options), "--no-bold");
  warn(!options.columns.empty() && is_complete(options), "--columns");
  if (options.test.test == SeedTest::kWelch && options.test.significance.samples)
    spdlog::warn("--samples: no effect with --test welch");
}

}  // namespace

int run_runs(const RunsOptions& options) {
  warn_of_idle_options(options);
  std::vector<RunSummary> runs = list_runs(options.folders);
  // Columns and averages may be of different data, whose scores nobody compares.
  if (!options.across && !options.average) warn_of_scales(runs);
  if (options.makes_cells()) {
    print_result(print(cells_of(runs, options), options));
    return 0;
  }
  RunTable table{options.group ? group_by_seed(runs) : single_runs(std::move(runs)), options.group};
  sort_groups(table.rows, options.order);
  print_result(print(table, options));
  return 0;
}

}  // namespace heed
