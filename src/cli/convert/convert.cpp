// `heed convert`.
#include <map>

#include "cli/arguments.h"
#include "cli/command_line.h"
#include "data/corpus_conversion.h"

namespace heed {

namespace {

const std::map<std::string, PairForm> kForms{{"text", PairForm::kText},
                                             {"tsv", PairForm::kTsv},
                                             {"jsonl", PairForm::kJsonLines},
                                             {"tmx", PairForm::kTmx}};

}  // namespace

void add_convert(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "convert",
      "Write a corpus in another format: text, a table, JSON lines or TMX, compressed or not");
  auto options = std::make_shared<ConversionOptions>();
  // Not required() for CLI11, which would leave it the second output.
  add_positionals(*command, "INPUT", options->inputs,
                  "Source and target file, or one file with both: tab-separated values, JSON lines "
                  "or TMX; each plain or compressed (.gz, .xz, .zst, .zip)");
  command
      ->add_option("--source", options->source,
                   "Source of one INPUT: the column, by number or name, the key or the language")
      ->type_name("NAME");
  command->add_option("--target", options->target, "Target of one INPUT")->type_name("NAME");
  add_list(*command, "-o,--output", options->outputs,
           "Two text files, or one that ends in .tsv, .jsonl or .tmx; with .gz, .xz or .zst it is "
           "compressed; - is standard output")
      ->required()
      ->expected(1, 2)
      ->type_name("FILE");
  auto form = std::make_shared<std::string>();
  command->add_option("--to", *form, "text, tsv, jsonl or tmx (by the name of the output)")
      ->check(CLI::IsMember({"text", "tsv", "jsonl", "tmx"}))
      ->type_name("FORMAT");
  command
      ->add_option("--source-name", options->source_name,
                   "Key of the source in JSON lines, its language in TMX (as in the input)")
      ->type_name("NAME");
  command->add_option("--target-name", options->target_name, "Key or language of the target")
      ->type_name("NAME");
  command->callback([&chosen, options, form] {
    if (!form->empty()) options->form = kForms.at(*form);
    chosen = [options] {
      convert_corpus(*options);
      return 0;
    };
  });
}

}  // namespace heed
