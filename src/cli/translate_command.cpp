#include "base/error.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/tensor_library.h"
#include "config/sizes.h"

namespace heed {

namespace {

constexpr const char* kModelHelp =
    "A run, a checkpoint or a model folder; several are an ensemble and must share vocabularies";

void add_models(CLI::App& command, std::vector<std::string>& models) {
  add_positionals(command, "MODEL", models, kModelHelp)->required()->type_name("");
}

// `heed translate` and `heed summarize`: the same work with other defaults.
CLI::App* add_translation(CLI::App& app, Chosen& chosen, const char* name, const char* what,
                          const TranslateOptions& defaults, const SearchHelp& help) {
  auto* command = app.add_subcommand(name, what);
  auto options = std::make_shared<TranslateOptions>(defaults);
  add_models(*command, options->models);
  add_repeated(*command, "-i,--input", options->inputs,
               "Source text, plain or .gz (standard input); NAME=FILE for several sources")
      ->type_name("FILE");
  add_tag(*command, options->tag);
  command->add_option("-o,--output", options->output, "Output file, instead of standard output")
      ->type_name("FILE");
  auto* nbest =
      command
          ->add_option("--nbest", options->nbest,
                       "Write the N best translations of each line: NUMBER ||| TEXT ||| SCORE")
          ->type_name("N")
          ->check(whole_number(kBeams));
  command->add_flag("--interactive", options->interactive,
                    "Translate each line as soon as it is read, as on a terminal");
  command->add_flag("--replace-unknown", options->replace_unknown,
                    "Replace <unk> with the source word of the highest attention weight");
  command
      ->add_option("--attention", options->attention,
                   "Write tokens and attention weights, a JSON object for each line")
      ->type_name("FILE");
  command
      ->add_option("--alignments", options->alignments,
                   "Write word alignments, the source word of the highest weight for each target "
                   "word: 0-0 1-2 …")
      ->type_name("FILE")
      ->excludes(nbest);
  add_search_options(*command, options->search, help);
  command->callback(
      [&chosen, options] { chosen = [options] { return run_with_tensors(*options); }; });
  return command;
}

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

void add_translate(CLI::App& app, Chosen& chosen) {
  add_translation(app, chosen, "translate", "Translate raw text, one sentence a line", {}, {});
}

void add_summarize(CLI::App& app, Chosen& chosen) {
  const SummaryDefaults defaults;
  const SearchHelp help = {
      .result = "summary",
      .coverage_penalty = fmt::format("{} where attention has weights", defaults.coverage_penalty),
      .min_length = fmt::format("{}", defaults.min_length),
      .no_repeat_ngram = fmt::format("{}", defaults.no_repeat_ngram),
      .max_length = fmt::format("{} of the source and {}", defaults.max_length_ratio,
                                defaults.max_length_extra)};
  TranslateOptions options;
  options.summarize = true;
  auto* command = add_translation(app, chosen, "summarize",
                                  "Summarize raw text, one document a line", options, help);
  command->footer(
      "`heed translate` with other defaults: an option counts first, then a value in\n"
      "`search` of the model's config that differs from the default of every config,\n"
      "then the values above.\n" +
      app.get_footer());
}

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
  command->add_option("--batch", options->batch, "Batch size in sentence pairs (64)")
      ->type_name("N")
      ->check(whole_number(kSentences));
  command
      ->add_option("--workers", options->workers,
                   "Decoding threads, each with its own batch (one for each core)")
      ->type_name("N")
      ->check(whole_number(kThreads));
  add_device(*command, options->device);
  command->callback([&chosen, options] {
    refuse_two_standard_inputs(*options);
    chosen = [options] { return run_with_tensors(*options); };
  });
}

}  // namespace heed
