#include "base/error.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/tensor_library.h"

namespace heed {

namespace {

// The sources are FILE or NAME=FILE.
void refuse_two_standard_inputs(const ScoreOptions& options) {
  if (options.target != "-") return;
  for (const std::string& source : options.sources) {
    if (source != "-" && !source.ends_with("=-")) continue;
    throw_error(ErrorKind::kUsage,
                "--source {} and --target -: only one of them can be standard input; give a file",
                source);
  }
}

}  // namespace

void add_score(CLI::App& app, Chosen& chosen) {
  auto* command =
      app.add_subcommand("score", "Print the log-probability of given translations, one a line");
  auto options = std::make_shared<ScoreOptions>();
  add_models(*command, options->models);
  add_repeated(
      *command, "-s,--source", options->sources,
      "Source text, plain or .gz; NAME=FILE for several sources; none for a language model")
      ->type_name("FILE");
  add_tag(*command, options->tag);
  command
      ->add_option("-t,--target", options->target,
                   "Translations, line by line, or the text for a language model")
      ->required()
      ->type_name("FILE");
  command->add_option("-o,--output", options->output, "Output file, instead of standard output")
      ->type_name("FILE");
  command->add_flag("--tokens", options->tokens,
                    "Write tokens and their log-probabilities, a JSON object for each line");
  add_decoding_options(*command, options->decoding, "sentence pairs");
  command->callback([&chosen, options] {
    refuse_two_standard_inputs(*options);
    chosen = [options] { return run_with_tensors(*options); };
  });
}

}  // namespace heed
