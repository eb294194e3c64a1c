#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/merge/options.h"
#include "cli/tensor_library.h"

namespace heed {

void add_merge(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("merge", "Merge an adapter of train.lora into its model");
  auto options = std::make_shared<MergeOptions>();
  command
      ->add_option("MODEL", options->model,
                   "Model that the adapter was trained for: a run, a checkpoint or a model folder")
      ->required()
      ->type_name("");
  command
      ->add_option("ADAPTER", options->adapter,
                   "File adapter.safetensors of a checkpoint of train.lora, or a run that has it")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", options->output, "Folder of the new model")
      ->required()
      ->type_name("FOLDER");
  command->callback(
      [&chosen, options] { chosen = [options] { return run_with_tensors(*options); }; });
}

}  // namespace heed
