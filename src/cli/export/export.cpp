#include "cli/command_line.h"
#include "cli/export/options.h"
#include "cli/export/page.h"
#include "cli/tensor_library.h"

namespace heed {

namespace {

void add_stored_precision(CLI::App& command, ExportOptions& options, const char* usual) {
  command
      .add_option_function<std::string>(
          "--precision",
          [&options](const std::string& word) {
            options.precision = word == "int8" ? Precision::kInt8 : Precision::kFloat;
          },
          fmt::format("Number format of the stored weights: fp32 or int8 ({})", usual))
      ->type_name("NAME")
      ->check(CLI::IsMember({"fp32", "int8"}));
}

void add_package_languages(CLI::App& command, ExportOptions& options) {
  for (const auto& [side, code] : {std::pair{"source", &options.source_language},
                                   std::pair{"target", &options.target_language}})
    command
        .add_option(fmt::format("--{}-language", side), *code,
                    fmt::format("Code of the language of the {} (that of the model)", side))
        ->type_name("CODE");
}

void add_marian_options(CLI::App& command, ExportOptions& options) {
  command
      .add_option("--format", options.marian_format,
                  "npz; bin, Marian's binary format in float32; or int8, that of Firefox "
                  "Translations (npz)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"npz", "bin", "int8"}));
  command
      .add_option("--shortlist", options.shortlist,
                  "Lexicon of heed shortlist, which becomes lex.s2t.bin")
      ->type_name("FILE");
  command
      .add_option(
          "--calibrate", options.calibration,
          "Source lines that the scales of activations of int8 are measured with; the first "
          "200 are read")
      ->type_name("FILE");
}

void add_format(CLI::App& parent, Chosen& chosen, ExportOptions::Format format, const char* name,
                const char* help) {
  auto* command = parent.add_subcommand(name, help);
  auto options = std::make_shared<ExportOptions>();
  options->format = format;
  command->add_option("MODEL", options->model, "A run, checkpoint or model folder")
      ->required()
      ->type_name("");
  const bool is_package = format == ExportOptions::Format::kArgos;
  command
      ->add_option(is_package ? "FILE" : "FOLDER", options->output,
                   is_package ? "File to make, en-de.argosmodel" : "Folder to make")
      ->required()
      ->type_name("");
  if (format == ExportOptions::Format::kCTranslate2)
    add_stored_precision(*command, *options, "that of a packed model, else fp32");
  if (format == ExportOptions::Format::kMarian) add_marian_options(*command, *options);
  if (is_package) {
    add_stored_precision(*command, *options, "int8");
    add_package_languages(*command, *options);
  }
  command->callback(
      [&chosen, options] { chosen = [options] { return run_with_tensors(*options); }; });
}

}  // namespace

void add_export(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "export", "Convert a model to the format of another toolkit, or to a page that translates");
  command->require_subcommand(1);
  add_format(*command, chosen, ExportOptions::Format::kHf, "hf",
             "A model folder of transformers (Hugging Face), with its tokenizer");
  add_format(*command, chosen, ExportOptions::Format::kCTranslate2, "ctranslate2",
             "A model folder of CTranslate2");
  add_format(*command, chosen, ExportOptions::Format::kArgos, "argos",
             "A package of Argos Translate, which LibreTranslate runs too");
  add_format(*command, chosen, ExportOptions::Format::kMarian, "marian",
             "A Transformer or a recurrent model of Marian, or a student of Firefox Translations "
             "in 8 bits");
  add_page_export(*command, chosen);
}

}  // namespace heed
