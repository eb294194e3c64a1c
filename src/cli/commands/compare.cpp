#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/text_comparison.h"

namespace heed {

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
            if (name == "randomization") options->test = SignificanceTest::kRandomization;
          },
          "Paired test: bootstrap or randomization (bootstrap)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"bootstrap", "randomization"}))
      ->group(kSignificanceGroup);
  add_resampling(*command, options->samples, options->seed,
                 "Number of samples (1000; randomization: 10000)");
  add_score_output(*command, options->choice);
  command->callback([&chosen, options] { chosen = [options] { return run_compare(*options); }; });
}

}  // namespace heed
