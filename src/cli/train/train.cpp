#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/tensor_library.h"
#include "cli/train/options.h"

namespace heed {

void add_train(CLI::App& app, Chosen& chosen) {
  constexpr const char *kConfig = "Config", *kRun = "Run";
  auto* command = app.add_subcommand("train", "Train a model from a config");
  auto options = std::make_shared<TrainOptions>();
  command->add_option("CONFIG", options->request.config, "The config, YAML")
      ->required()
      ->type_name("");
  add_repeated(*command, "--set", options->request.set,
               "KEY=VALUE instead of the value in the config")
      ->type_name("KEY=VALUE")
      ->group(kConfig);
  command
      ->add_option("--run", options->request.run,
                   "Folder of the run, from the current folder; instead of `run` in the config")
      ->type_name("FOLDER")
      ->group(kRun);
  const auto add_start = [&](const char* flag, RunStart start, const char* help) {
    return command
        ->add_flag_callback(
            flag, [options, start] { options->request.start = start; }, help)
        ->group(kRun);
  };
  auto* resume =
      add_start("--resume", RunStart::kResume, "Continue from the newest intact checkpoint");
  auto* auto_resume = add_start("--auto-resume", RunStart::kResumeOrNew,
                                "Continue the run if there is one, else start it: for launchers "
                                "that start the command again after a failure")
                          ->excludes(resume);
  add_start("--overwrite", RunStart::kOverwrite,
            "Replace the run in this folder; it is deleted once data and model of the new one are "
            "ready")
      ->excludes(resume)
      ->excludes(auto_resume);
  command
      ->add_flag("--data-changed", options->request.data_changed,
                 "With --resume: continue although the data, vocabularies or tokenizer models have "
                 "changed")
      ->needs(resume)
      ->group(kRun);
  command
      ->add_flag("--dry-run", options->dry_run,
                 "Print the parameters and the first batch; train and write nothing")
      ->group(kRun);
  command
      ->add_option("--device", options->request.device, "Device, instead of `device` in the config")
      ->type_name("DEVICE")
      ->group(kConfig);
  command->callback(
      [&chosen, options] { chosen = [options] { return run_with_tensors(*options); }; });
}

}  // namespace heed
