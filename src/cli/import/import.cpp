#include "cli/command_line.h"
#include "cli/import/options.h"
#include "cli/tensor_library.h"

namespace heed {

namespace {

struct Files {
  const char *name, *help;
};

// A command for models of one format, and the options that all have.
CLI::App* add_format(CLI::App& import, Chosen& chosen, const char* name, const char* help,
                     const Files& files, const std::shared_ptr<ImportOptions>& options) {
  auto* command = import.add_subcommand(name, help);
  command->add_option(files.name, options->model, files.help)->required()->type_name("");
  command->add_option("-o,--output", options->output, "Folder of the new model")
      ->required()
      ->type_name("FOLDER");
  command->callback(
      [&chosen, options] { chosen = [options] { return run_with_tensors(*options); }; });
  return command;
}

void add_languages(CLI::App& command, ImportOptions& options) {
  command
      .add_option("--source-language", options.source_language,
                  "Language of the source lines, in the codes of a model of many: en (M2M-100), "
                  "eng_Latn (NLLB), en_XX (mBART-50)")
      ->type_name("CODE");
  command.add_option("--target-language", options.target_language, "Language to translate into")
      ->type_name("CODE");
}

void add_pieces(CLI::App& command, ImportOptions& options) {
  for (const auto& [side, file] :
       {std::pair{"source", &options.source_spm}, {"target", &options.target_spm}})
    command
        .add_option(fmt::format("--{}-spm", side), *file,
                    fmt::format("SentencePiece model of the {}; by default the one in FOLDER that "
                                "fits its vocabulary",
                                side))
        ->type_name("FILE");
}

void add_hf(CLI::App& import, Chosen& chosen) {
  auto options = std::make_shared<ImportOptions>();
  auto* command = add_format(
      import, chosen, "hf",
      "A model folder of transformers (Hugging Face): MarianMT (OPUS-MT), M2M-100, NLLB, mBART, "
      "BART, T5, MADLAD-400; without the languages below, a model of many keeps all of them",
      {"FOLDER",
       "With config.json, model.safetensors or pytorch_model.bin, and the files of its tokenizer"},
      options);
  add_languages(*command, *options);
}

void add_ctranslate2(CLI::App& import, Chosen& chosen) {
  auto options = std::make_shared<ImportOptions>();
  options->format = ImportOptions::Format::kCTranslate2;
  auto* command = add_format(
      import, chosen, "ctranslate2",
      "A model folder of CTranslate2 or package of Argos Translate: Transformers in any precision",
      {"FOLDER", "With model.bin, config.json and vocabularies; or with metadata.json and model/"},
      options);
  add_languages(*command, *options);
  add_pieces(*command, *options);
  command->add_flag("--tokenized", options->tokenized,
                    "Lines are tokens between spaces, as another program makes them");
  command
      ->add_option("--source-end", options->source_end,
                   "Whether sources end in </s>: yes or no, if config.json does not say it")
      ->type_name("WORD")
      ->check(CLI::IsMember({"yes", "no"}));
}

void add_argos(CLI::App& import, Chosen& chosen) {
  auto options = std::make_shared<ImportOptions>();
  options->format = ImportOptions::Format::kCTranslate2;
  add_format(import, chosen, "argos", "A package of Argos Translate",
             {"FILE", "Such as translate-en_de-1_0.argosmodel, or its unpacked folder"}, options);
}

void add_joeynmt(CLI::App& import, Chosen& chosen) {
  auto options = std::make_shared<ImportOptions>();
  options->format = ImportOptions::Format::kJoeynmt;
  add_format(import, chosen, "joeynmt", "A model of JoeyNMT 2",
             {"FOLDER",
              "With config.yaml, src_vocab.txt, trg_vocab.txt and best.ckpt or latest.ckpt; or a "
              "checkpoint in it"},
             options);
}

void add_opennmt(CLI::App& import, Chosen& chosen) {
  auto options = std::make_shared<ImportOptions>();
  options->format = ImportOptions::Format::kOpennmt;
  add_format(import, chosen, "opennmt", "A model of OpenNMT-py 3",
             {"FILE", "A checkpoint, such as model_step_10000.pt"}, options);
}

void add_marian(CLI::App& import, Chosen& chosen) {
  auto options = std::make_shared<ImportOptions>();
  options->format = ImportOptions::Format::kMarian;
  auto* command = add_format(
      import, chosen, "marian",
      "A Transformer of Marian, such as those of Firefox Translations, or a recurrent model (s2s)",
      {"FILE", "model.npz or model.bin, or a folder with it and its vocabularies"}, options);
  for (const auto& [side, file] :
       {std::pair{"source", &options->source_vocab}, {"target", &options->target_vocab}})
    command
        ->add_option(fmt::format("--{}-vocab", side), *file,
                     fmt::format("Vocabulary of the {}, vocab.spm or vocab.yml; by default the one "
                                 "beside FILE",
                                 side))
        ->type_name("FILE");
  add_pieces(*command, *options);
}

}  // namespace

void add_import(CLI::App& app, Chosen& chosen) {
  auto* import = app.add_subcommand("import", "Convert a model of another toolkit to one of heed");
  import->require_subcommand(1);
  add_hf(*import, chosen);
  add_ctranslate2(*import, chosen);
  add_argos(*import, chosen);
  add_joeynmt(*import, chosen);
  add_opennmt(*import, chosen);
  add_marian(*import, chosen);
}

}  // namespace heed
