#include "cli/command_line.h"
#include "cli/tensor_library.h"

namespace heed {

void add_inspect(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("inspect", "Say what a model is: parts, sizes, progress");
  auto options = std::make_shared<InspectOptions>();
  command->add_option("MODEL", options->model, "A run, a checkpoint or a model folder")
      ->required()
      ->type_name("");
  command->callback(
      [&chosen, options] { chosen = [options] { return run_with_tensors(*options); }; });
}

}  // namespace heed
