#include <algorithm>

#include "base/error.h"
#include "base/folder.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/compare/text_comparison.h"

namespace heed {

namespace {

constexpr const char* kDetailsGroup = "Details";

// Refuses `-m bleu chrf`, which `heed evaluate` takes: here the second word is a file.
void refuse_metrics_as_files(const CompareOptions& options) {
  const auto known = metric_names();
  std::vector<std::string> metrics;
  for (const std::string& file : options.systems) {
    const std::string name = metric_name(file);
    if (std::ranges::count(known, name) > 0 && !is_there(file)) metrics.push_back(name);
  }
  if (metrics.empty()) return;
  throw_error(ErrorKind::kUsage, "{}: there is no such file; several metrics: -m {},{}",
              metrics.front(), fmt::join(options.choice.metrics, ","), fmt::join(metrics, ","));
}

}  // namespace

void add_compare(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "compare", "Compare translations with a baseline: scores and their significance");
  auto options = std::make_shared<CompareOptions>();
  add_positionals(*command, "SYSTEM", options->systems,
                  "Translations, a file for each system; the first one is the baseline")
      ->required()
      ->type_name("FILE");
  add_metric_options(*command, options->choice, add_repeated);
  command
      ->add_option_function<std::string>(
          "--test",
          [options = options.get()](const std::string& name) {
            if (name == "randomization")
              options->significance.test = SignificanceTest::kRandomization;
          },
          "Paired test: bootstrap or randomization (bootstrap)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"bootstrap", "randomization"}))
      ->group(kSignificanceGroup);
  add_resampling(*command, options->significance.samples, options->significance.seed,
                 "Number of samples (1000; randomization: 10000)");
  add_score_output(*command, options->choice);
  const auto has = [](const std::vector<std::string>& names, const char* name) {
    return std::ranges::find(names, name) != names.end();
  };
  command
      ->add_option_function<std::vector<std::string>>(
          "--by",
          [options = options.get(), has](const std::vector<std::string>& names) {
            options->by_length = has(names, "length");
            options->by_frequency = has(names, "frequency");
          },
          "Scores of parts too: length (lines by the length of the reference) or frequency (F1 of "
          "words by how often they occur in the reference), of words by --tokenize and "
          "--lowercase; repeat for both")
      ->type_name("NAME")
      ->check(CLI::IsMember({"length", "frequency"}))
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group(kDetailsGroup);
  command
      ->add_option("--count-words", options->counted,
                   "Text in which words are counted for --by frequency: the training data")
      ->type_name("FILE")
      ->group(kDetailsGroup);
  auto* html = command
                   ->add_option("--html", options->html,
                                "Page with all of it and the lines that differ most from the "
                                "baseline by the first metric")
                   ->type_name("FILE")
                   ->group(kDetailsGroup);
  command->add_option("--source", options->source, "Source text, shown on the page")
      ->type_name("FILE")
      ->needs(html)
      ->group(kDetailsGroup);
  command
      ->add_option("--examples", options->examples,
                   "Lines on the page in which a system is better, and as many in which it is "
                   "worse (10)")
      ->type_name("N")
      ->check(whole_number({0, 1'000'000}))
      ->needs(html)
      ->group(kDetailsGroup);
  command->callback([&chosen, options, command] {
    chosen = [options, command] {
      refuse_metrics_as_files(*options);
      std::vector<std::string> also;
      if (options->counted && !options->by_frequency && !options->html)
        throw Error(ErrorKind::kUsage, "--count-words needs --by frequency or --html");
      if (options->by_length || options->by_frequency || options->html)
        also = {"--tokenize", "--lowercase"};
      refuse_idle_options(*command, options->choice, also);
      return run_compare(*options);
    };
  });
}

}  // namespace heed
