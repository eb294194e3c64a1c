#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/tensor_library.h"

namespace heed {

void add_vocab(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "vocab", "Learn the tokenizers and vocabularies of a config once, for several runs");
  auto options = std::make_shared<VocabOptions>();
  command->add_option("CONFIG", options->config, "Config of a training run: its data and text")
      ->required()
      ->type_name("");
  add_repeated(*command, "--set", options->set, "Set a key of the config: text.source.size=4000")
      ->type_name("KEY=VALUE");
  command
      ->add_option("-o,--output", options->output,
                   "Folder of tokenizers, vocabularies and text.yaml, a section `text` for configs")
      ->required()
      ->type_name("FOLDER");
  command->callback(
      [&chosen, options] { chosen = [options] { return run_with_tensors(*options); }; });
}

}  // namespace heed
