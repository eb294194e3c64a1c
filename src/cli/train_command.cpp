#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/tensor_library.h"

namespace heed {

void add_train(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("train", "Train a model as a config says");
  auto options = std::make_shared<TrainOptions>();
  command->add_option("CONFIG", options->config, "The config, YAML")->required()->type_name("");
  add_repeated(*command, "--set", options->set,
               "KEY=VALUE instead of what the config says; as often as needed")
      ->type_name("KEY=VALUE");
  command
      ->add_option("--run", options->run,
                   "Folder of the run, from the current folder; instead of the config's `run`")
      ->type_name("FOLDER");
  auto* resume = command->add_flag("--resume", options->resume,
                                   "Go on from the latest checkpoint, exactly where it stopped");
  command->add_flag("--overwrite", options->overwrite, "Delete the run of that name first")
      ->excludes(resume);
  command
      ->add_flag("--data-changed", options->data_changed,
                 "With --resume: go on although files of data.train or data.valid have changed")
      ->needs(resume);
  command->add_flag("--dry-run", options->dry_run,
                    "Print parameters and the first batch, train nothing, write nothing");
  command->add_option("--device", options->device, "Instead of the config's `device`")
      ->type_name("DEVICE");
  command->callback(
      [&chosen, options] { chosen = [options] { return run_with_tensors(*options); }; });
}

}  // namespace heed
