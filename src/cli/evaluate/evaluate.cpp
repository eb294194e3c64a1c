#include "base/error.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/evaluate/text_evaluation.h"
#include "cli/search_options.h"

namespace heed {

namespace {

struct Given {
  EvaluateOptions options;
  std::optional<std::string> baseline;
  bool confidence = false;
  std::optional<int64_t> samples;
  uint32_t seed = Resampling{}.seed;
};

// Adds options for hypotheses made from the source: translations by a model, or a baseline.
void add_source_options(CLI::App& command, Given& given) {
  EvaluateOptions& options = given.options;
  auto* source =
      add_list(command, "-s,--source", options.sources,
               "Source text for --model and --baseline; NAME=FILE for a model with several sources")
          ->type_name("FILE");
  auto* model = add_list(command, "--model", options.models,
                         "Translate --source with this model and evaluate the translations; "
                         "several are one ensemble (to compare models: heed compare)")
                    ->needs(source)
                    ->excludes("--input")
                    ->type_name("MODEL");
  add_tag(command, options.tag)->needs(model);
  for (CLI::Option* option : add_direction(command, options.direction)) option->needs(model);
  command
      .add_option("--baseline", given.baseline, "Evaluate the first N words of each source line")
      ->needs(source)
      ->excludes("--input")
      ->excludes(model)
      ->type_name("lead:N");
  const std::vector<CLI::Option*> before = command.get_options(nullptr);
  add_search_options(command, options.search);
  add_decoding_options(command, options.decoding, kTranslatedLines);
  add_precision(command, options.decoding.precision);
  for (CLI::Option* option : command.get_options(nullptr)) {
    if (std::ranges::count(before, option) == 0) option->needs(model);
  }
}

void check_source_options(const EvaluateOptions& options) {
  if (!options.sources.empty() && options.models.empty() && !options.lead)
    throw Error(ErrorKind::kUsage,
                "--source needs --model or --baseline; see `heed evaluate --help`");
  for (const std::string& metric : options.choice.metrics) {
    if (options.models.empty() || !scores_alignments(metric)) continue;
    throw_error(ErrorKind::kUsage,
                "-m {} scores word alignments, and --model gives text: write them by `heed "
                "translate --alignments FILE`",
                metric);
  }
  if (options.lead && options.sources.size() > 1) {
    throw_error(ErrorKind::kUsage, "--baseline takes one --source, but {} were given",
                options.sources.size());
  }
}

void add_delays(CLI::App& command, EvaluateOptions& options) {
  command
      .add_option("--delays", options.delays,
                  "Delays of the translations, a JSON object for each line, from `heed translate "
                  "--delays` or SimulEval: add average lagging (AL, Ma 2019) and differentiable "
                  "average lagging (DAL, Cherry and Foster 2019), in source tokens")
      ->type_name("FILE")
      ->excludes("--model")
      ->excludes("--baseline");
}

void add_output_options(CLI::App& command, Given& given) {
  auto* sentences =
      command
          .add_flag("--sentences", given.options.sentences, "Score each line by itself, one a line")
          ->group("Output");
  auto* confidence =
      command
          .add_flag("--confidence", given.confidence,
                    "Add the mean and 95 % confidence interval by bootstrap resampling")
          ->excludes(sentences)
          ->group(kSignificanceGroup);
  for (CLI::Option* option :
       add_resampling(command, given.samples, given.seed, "Number of samples (1000)"))
    option->needs(confidence);
  add_score_output(command, given.options.choice);
}

}  // namespace

void add_evaluate(CLI::App& app, Chosen& chosen) {
  auto* command =
      app.add_subcommand("evaluate", "Evaluate text against references: BLEU, chrF, TER, ROUGE, …");
  auto given = std::make_shared<Given>();
  add_metric_options(*command, given->options.choice, add_list);
  command->add_option("-i,--input", given->options.input, "Text to evaluate (standard input)")
      ->type_name("FILE");
  add_output_options(*command, *given);
  add_source_options(*command, *given);
  add_delays(*command, given->options);
  command->callback([&chosen, given, command] {
    chosen = [given, command] {
      refuse_idle_options(*command, given->options.choice);
      if (given->baseline) given->options.lead = parse_lead(*given->baseline);
      check_source_options(given->options);
      if (given->confidence)
        given->options.confidence = {given->samples.value_or(Resampling{}.samples), given->seed};
      MetricOptions& settings = given->options.choice.settings;
      if (given->options.sentences) settings = of_sentences(settings);
      return run_evaluate(given->options);
    };
  });
}

}  // namespace heed
