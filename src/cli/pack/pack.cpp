#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/run_folder_names.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/model_path.h"
#include "cli/new_output.h"
#include "cli/pack/model_card.h"
#include "load/model_path.h"
#include "load/model_request.h"
#include "load/pack_model.h"
#include "translate/lexicon.h"

namespace heed {

namespace {

struct PackCommand {
  std::string model, output;
  std::optional<Precision> precision;  // none: int8
  std::optional<std::string> licence, card, shortlist;
};

// The lexicon of --shortlist, which `text_model` of the packed model reads.
std::string lines_of_shortlist(const PackCommand& command) {
  const TextModel model = load_text_model({{command.model}, "cpu"});
  if (model.sources.empty())
    throw_error(ErrorKind::kUsage, "--shortlist: the model has no source to choose tokens by");
  Lexicon::read(*command.shortlist, model.aligned_codec().vocabulary(),
                model.target_codec().vocabulary());  // checks it
  std::string text;
  LineReader reader(*command.shortlist);
  for (std::string line; reader.next(line);) text += line + "\n";
  return text;
}

int run_pack(const PackCommand& command) {
  refuse_other_than_model(command.model);
  refuse_existing("-o ", command.output, "file");
  refuse_outputs_in_runs({{"--output", command.output}});
  PackOptions options{.precision = command.precision.value_or(Precision::kInt8)};
  options.files[kModelCard] =
      command.card ? read_file(*command.card) : model_card(command.model, command.licence);
  if (command.shortlist) options.files[kShortlist] = lines_of_shortlist(command);
  const PackedSize size = pack_model(command.model, command.output, options);
  if (size.needs_libtorch)
    spdlog::warn(
        "{}: the program needs libtorch to translate with this model, also packed; its "
        "weights are rounded to {} in the file, and it computes in fp32",
        command.output, precision_word(options.precision));
  spdlog::info("{}: {} in {}, {:.0f}% of the {} of its model folder", command.output,
               format_bytes(static_cast<double>(size.packed)), precision_word(options.precision),
               100.0 * static_cast<double>(size.packed) / static_cast<double>(size.model),
               format_bytes(static_cast<double>(size.model)));
  spdlog::info("done; next: heed translate {} -i FILE", command.output);
  return 0;
}

}  // namespace

void add_pack(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "pack", "Pack a model into one file, with smaller weights, for use in all other commands");
  auto options = std::make_shared<PackCommand>();
  command->add_option("MODEL", options->model, "A run, a checkpoint or a model folder")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", options->output, "The packed model, such as en-de.heed")
      ->required()
      ->type_name("FILE");
  add_precision(*command, options->precision,
                "Number format of the weights, and of translation: int8, bf16 or fp32 (int8)");
  auto* licence = command
                      ->add_option("--licence,--license", options->licence,
                                   "Licence of the model, for its card")
                      ->type_name("TEXT");
  command
      ->add_option("--shortlist", options->shortlist,
                   "Lexicon of `heed shortlist`: translation computes scores only of its tokens")
      ->type_name("FILE");
  command
      ->add_option("--card", options->card,
                   "A text file as the card of the model, in place of the one that is written "
                   "from its run: languages, training data and scores")
      ->type_name("FILE")
      ->excludes(licence);
  command->callback([&chosen, options] { chosen = [options] { return run_pack(*options); }; });
}

}  // namespace heed
