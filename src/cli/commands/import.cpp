#include "cli/command_line.h"
#include "cli/tensor_library.h"

namespace heed {

void add_import(CLI::App& app, Chosen& chosen) {
  auto* import = app.add_subcommand("import", "Convert a model of another toolkit to one of heed");
  import->require_subcommand(1);
  auto* command = import->add_subcommand(
      "hf", "A model folder of transformers (Hugging Face): MarianMT (OPUS-MT), M2M-100, NLLB");
  auto options = std::make_shared<ImportOptions>();
  command
      ->add_option("FOLDER", options->folder,
                   "With config.json, model.safetensors or pytorch_model.bin, and the files of its "
                   "tokenizer")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", options->output, "Folder of the new model")
      ->required()
      ->type_name("FOLDER");
  command
      ->add_option("--source-language", options->source_language,
                   "Language of the source lines, in the codes of a model of many: en (M2M-100), "
                   "eng_Latn (NLLB)")
      ->type_name("CODE");
  command->add_option("--target-language", options->target_language, "Language to translate into")
      ->type_name("CODE");
  command->callback(
      [&chosen, options] { chosen = [options] { return run_with_tensors(*options); }; });
}

}  // namespace heed
