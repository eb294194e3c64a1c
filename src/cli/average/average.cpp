#include "cli/arguments.h"
#include "cli/average/options.h"
#include "cli/command_line.h"
#include "cli/tensor_library.h"

namespace heed {

void add_average(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("average", "Average the parameters of several checkpoints");
  auto options = std::make_shared<AverageOptions>();
  add_positionals(*command, "MODEL", options->models,
                  "Runs, checkpoints or model folders with the same network and vocabularies")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", options->output, "Folder of the new model")
      ->required()
      ->type_name("FOLDER");
  auto* last = command->add_option("--last", options->last, "The last N checkpoints of a run")
                   ->type_name("N")
                   ->check(whole_number(kPositive));
  command
      ->add_option("--best", options->best,
                   "The N best checkpoints of a run, by its validation metric")
      ->type_name("N")
      ->check(whole_number(kPositive))
      ->excludes(last);
  command->callback(
      [&chosen, options] { chosen = [options] { return run_with_tensors(*options); }; });
}

}  // namespace heed
