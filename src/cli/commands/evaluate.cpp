#include <algorithm>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/search_options.h"
#include "cli/text_evaluation.h"
#include "config/sizes.h"
#include "metric/bleu_tokenizers.h"

namespace heed {

namespace {

std::vector<std::string> tokenizer_names() {
  std::vector<std::string> names;
  for (const BleuTokenizer& tokenizer : bleu_tokenizers()) names.push_back(tokenizer.name);
  return names;
}

struct Given {
  EvaluateOptions options;
  std::string smoothing = "exp";
  std::optional<std::string> baseline;
  std::string format = "text";
};

void add_text_options(CLI::App& command, EvaluateOptions& options) {
  add_list(command, "-r,--reference", options.references,
           "Reference texts; several files are several references for each line")
      ->required()
      ->type_name("FILE");
  command.add_option("-i,--input", options.input, "Text to evaluate (standard input)")
      ->type_name("FILE");
}

// What is measured instead of a file: something made of the source.
void add_source_options(CLI::App& command, Given& given) {
  EvaluateOptions& options = given.options;
  auto* source =
      add_repeated(
          command, "-s,--source", options.sources,
          "Source text for --model and --baseline; NAME=FILE for a model with several sources")
          ->type_name("FILE");
  auto* model = add_repeated(command, "--model", options.models,
                             "Translate --source with this model and evaluate the translations; "
                             "several are an ensemble")
                    ->needs(source)
                    ->excludes("--input")
                    ->type_name("MODEL");
  add_tag(command, options.tag)->needs(model);
  command
      .add_option("--baseline", given.baseline, "Evaluate the first N words of each source line")
      ->needs(source)
      ->excludes("--input")
      ->excludes(model)
      ->type_name("lead:N");
  const std::vector<CLI::Option*> before = command.get_options(nullptr);
  add_search_options(command, options.search);
  add_decoding_options(command, options.decoding, "lines");
  add_precision(command, options.decoding.precision);
  for (CLI::Option* option : command.get_options(nullptr)) {
    if (std::ranges::count(before, option) == 0) option->needs(model);
  }
}

void check_source_options(const EvaluateOptions& options) {
  if (!options.sources.empty() && options.models.empty() && !options.lead)
    throw Error(ErrorKind::kUsage,
                "--source needs --model or --baseline; see `heed evaluate --help`");
  if (options.lead && options.sources.size() > 1) {
    throw_error(ErrorKind::kUsage, "--baseline takes one --source, but {} were given",
                options.sources.size());
  }
}

// What each name measures, for the end of the help.
std::string list_metrics() {
  std::string text = "Names of metrics for -m:\n";
  for (const std::string& name : metric_names()) {
    text += fmt::format("  {:<10} {}\n", name, metric_help(name));
  }
  return text;
}

void add_metric_options(CLI::App& command, Given& given) {
  MetricOptions& settings = given.options.settings;
  add_list(command, "-m,--metric", given.options.metrics, "One or more of the metrics below (bleu)")
      ->delimiter(',')
      ->type_name("NAME");
  command
      .add_option("--tokenize", settings.bleu.tokenizer,
                  fmt::format("BLEU: {} (13a)", fmt::join(tokenizer_names(), ", ")))
      ->type_name("NAME");
  command.add_flag("--lowercase", settings.bleu.lower_case, "BLEU: case-insensitive");
  command
      .add_option("--smooth", given.smoothing,
                  fmt::format("BLEU: {} (exp)", fmt::join(bleu_smoothing_names(), ", ")))
      ->type_name("NAME");
  command
      .add_option("--smooth-value", settings.bleu.smooth_value,
                  "BLEU: for floor (0.1) and add-k (1)")
      ->type_name("VALUE")
      ->check(real_number(kWeights));
  command.add_flag("--effective-order", settings.bleu.effective_order,
                   "BLEU: leave out n-gram orders without any n-gram");
  command.add_flag("--stem", settings.rouge.stem, "ROUGE: compare word stems");
  command
      .add_option("--sentence-break", settings.rouge.sentence_break,
                  "ROUGE-Lsum: separator of the sentences of a line (none: a line is one sentence)")
      ->type_name("TEXT");
}

void add_output_options(CLI::App& command, Given& given) {
  command.add_option("--format", given.format, "text, one line for each metric, or json (text)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"text", "json"}));
  command.add_option("--digits", given.options.digits, "Decimal places (1)")
      ->type_name("N")
      ->check(whole_number({0, 15}));
}

}  // namespace

void add_evaluate(CLI::App& app, Chosen& chosen) {
  auto* command =
      app.add_subcommand("evaluate", "Evaluate text against references: BLEU, ROUGE, …");
  auto given = std::make_shared<Given>();
  add_text_options(*command, given->options);
  add_metric_options(*command, *given);
  add_output_options(*command, *given);
  add_source_options(*command, *given);
  command->footer(list_metrics());
  command->callback([&chosen, given] {
    chosen = [given] {
      if (given->baseline) given->options.lead = parse_lead(*given->baseline);
      check_source_options(given->options);
      given->options.settings.bleu.smoothing = parse_bleu_smoothing(given->smoothing);
      given->options.format = given->format == "json" ? ScoreFormat::kJson : ScoreFormat::kText;
      return run_evaluate(given->options);
    };
  });
}

}  // namespace heed
