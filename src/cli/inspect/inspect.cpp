#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/inspect/inspection.h"

namespace heed {

void add_inspect(CLI::App& app, Chosen& chosen) {
  auto* command =
      app.add_subcommand("inspect", "Describe a model: network, sizes, vocabularies, training");
  auto options = std::make_shared<InspectOptions>();
  add_positionals(*command, "MODEL", options->models,
                  "A run, a checkpoint or a model folder; several are compared side by side")
      ->required()
      ->type_name("");
  auto* config = command->add_flag("--config", options->config,
                                   "Print the config of the model, YAML, with all defaults");
  command
      ->add_option_function<std::string>(
          "--format", [options](const std::string& name) { options->json = name == "json"; },
          "text, or json, a list with an object for each model (text)")
      ->type_name("NAME")
      ->excludes(config)
      ->check(CLI::IsMember({"text", "json"}));
  command->callback([&chosen, options] { chosen = [options] { return run_inspect(*options); }; });
}

}  // namespace heed
