#include "cli/command_line.h"
#include "cli/tensor_library.h"

namespace heed {

void add_import(CLI::App& app, Chosen& chosen) {
  auto* import = app.add_subcommand("import", "Convert a model of another toolkit to one of heed");
  import->require_subcommand(1);
  auto* command = import->add_subcommand(
      "hf", "A model folder of transformers (Hugging Face): MarianMT, as OPUS-MT");
  auto options = std::make_shared<ImportOptions>();
  command
      ->add_option(
          "FOLDER", options->folder,
          "With config.json, model.safetensors or pytorch_model.bin, source.spm, target.spm "
          "and vocab.json")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", options->output, "Folder of the new model")
      ->required()
      ->type_name("FOLDER");
  command->callback(
      [&chosen, options] { chosen = [options] { return run_with_tensors(*options); }; });
}

}  // namespace heed
