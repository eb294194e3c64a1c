// `heed clean`.
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/host.h"
#include "base/json_text.h"
#include "base/log.h"
#include "clean/clean_corpus.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/corpus_options.h"
#include "config/reader.h"
#include "config/sizes.h"
#include "config/writer.h"

namespace heed {

namespace {

struct CleanArguments {
  CleanOptions options;
  std::optional<std::string> filters;  // a file of settings
  std::vector<std::string> set;
  std::optional<int64_t> workers;
  bool json = false, show = false;
};

CleanConfig read_filters(const CleanArguments& given) {
  CleanConfig config;
  ReadOptions options;
  for (const std::string& text : given.set) options.overrides.push_back(parse_override(text));
  if (given.filters) {
    read_config_file(*given.filters, config, options);
  } else if (!options.overrides.empty()) {
    read_config_text("", "filters", config, options);
  }
  return config;
}

bool uses_stdout(const CleanOptions& options) {
  return options.rejected == "-" || std::ranges::count(options.outputs, "-") > 0;
}

int run(const CleanArguments& given) {
  if (given.show) {
    print_result(write_config(read_filters(given)));
    return 0;
  }
  constexpr int kIndent = 2;
  const bool has_stdout = !uses_stdout(given.options);
  if (given.json && !has_stdout)
    throw Error(ErrorKind::kUsage, "--json: standard output has the pairs; write them to a file");
  CleanOptions options = given.options;
  options.settings = given.filters;
  const CleanReport report = clean_corpus(options, read_filters(given));
  if (!has_stdout) {
    spdlog::info("{}", report.summary());
  } else {
    print_result(given.json ? json_text(report.json(), kIndent) + "\n"
                            : report.text(terminal_width(STDOUT_FILENO)));
  }
  return 0;
}

}  // namespace

void add_clean(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "clean", "Drop bad pairs of a corpus by filters, or only report what they would drop");
  auto given = std::make_shared<CleanArguments>();
  CleanOptions* options = &given->options;
  add_corpus_options(*command, options->corpus);
  command
      ->add_option("--filters", given->filters,
                   "Settings of the filters, a YAML file with a section each")
      ->type_name("FILE");
  add_repeated(
      *command, "--set", given->set,
      "Change a setting: length.max_words=100; numbers=false turns a filter off; repeatable")
      ->type_name("KEY=VALUE");
  add_list(*command, "--test", options->inputs.tests,
           "Test sets: drop pairs with a sentence of these files")
      ->type_name("FILE");
  auto* scores = command
                     ->add_option("--scores", options->inputs.scores,
                                  "Log-probabilities of the targets, by `heed score`")
                     ->type_name("FILE");
  command
      ->add_option("--reverse-scores", options->inputs.reverse_scores,
                   "Log-probabilities of the sources by a model of the other direction, for dual "
                   "conditional cross-entropy")
      ->type_name("FILE")
      ->needs(scores);
  add_repeated(*command, "--language-samples", options->inputs.language_samples,
               "Text of another language for the filter 'sides'; repeatable")
      ->type_name("NAME=FILE");
  add_list(*command, "-o,--output", options->outputs,
           "Kept pairs: two files, of source and target, or one of a TABLE; none: only the report")
      ->type_name("FILE");
  command
      ->add_option("--rejected", options->rejected,
                   "Dropped pairs with line, filters and reason, tab-separated")
      ->type_name("FILE");
  command
      ->add_option("--samples", options->samples, "Dropped pairs of each filter in the report (10)")
      ->check(whole_number(kNotNegative))
      ->type_name("NUMBER");
  command->add_option("--seed", options->seed, "Seed of the draws (1)")
      ->check(whole_number(kNotNegative))
      ->type_name("NUMBER");
  command->add_option("--workers", given->workers, "Threads (one per core)")
      ->check(whole_number(kThreads))
      ->type_name("NUMBER");
  command->add_flag("--json", given->json, "Print the report as JSON");
  command->add_flag("--show", given->show, "Print the settings of the filters as YAML, and end");
  command->callback([&chosen, given] {
    chosen = [given] {
      given->options.workers = given->workers.value_or(usable_cores());
      return run(*given);
    };
  });
}

}  // namespace heed
