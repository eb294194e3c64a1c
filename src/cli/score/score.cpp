#include "base/error.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/model_path.h"
#include "cli/score/options.h"
#include "cli/source_reader.h"
#include "cli/tensor_library.h"
#include "config/sizes.h"

namespace heed {

namespace {

struct ScoreArguments {
  ScoreOptions options;
  std::optional<std::string> list;
  RerankingOptions reranking;
};

CLI::Validator feature_name() {
  return CLI::Validator(
      [](std::string& name) {
        const bool fits = !name.empty() && name.find_first_of(" \t=|") == std::string::npos;
        return fits ? std::string()
                    : fmt::format("found '{}', expected a name without spaces, = and |", name);
      },
      "");
}

void add_reranking(CLI::App& command, ScoreArguments& given) {
  RerankingOptions& reranking = given.reranking;
  auto* list = command
                   .add_option("--nbest", given.list,
                               "N-best list to score and re-rank, instead of --target: NUMBER ||| "
                               "TEXT ||| FEATURES ||| SCORE, or without FEATURES; or as JSON")
                   ->type_name("FILE")
                   ->excludes("--target")
                   ->group(kInputGroup);
  std::vector<CLI::Option*> added;
  added.push_back(command
                      .add_option("--feature", reranking.feature,
                                  "Name of the feature that is appended (Score)")
                      ->type_name("NAME")
                      ->check(feature_name()));
  added.push_back(command
                      .add_option("--length-penalty", reranking.length_penalty,
                                  "α of the length penalty, which the log-probability is divided "
                                  "by; 0: none (0)")
                      ->type_name("NUMBER")
                      ->check(real_number(kWeights)));
  added.push_back(command
                      .add_option("--weights", reranking.weights,
                                  "Rank by the weighted sum of all features, and make it the "
                                  "score: lines NAME= WEIGHT …, or a moses.ini")
                      ->type_name("FILE"));
  added.push_back(command.add_flag("--best", reranking.best,
                                   "Write the best translation of each source line alone"));
  for (CLI::Option* option : added) option->needs(list)->group("N-best list");
}

void check_files(const ScoreOptions& options) {
  std::vector<NamedFile> inputs;
  if (!options.sources.empty()) inputs = input_files("--source", options.sources);
  if (options.reranking) {
    inputs.push_back({"--nbest", options.reranking->list});
    if (options.reranking->weights) inputs.push_back({"--weights", *options.reranking->weights});
  } else {
    inputs.push_back({"--target", options.target});
  }
  const std::vector<NamedFile> outputs{{"--output", options.output}};
  refuse_same_files(inputs, outputs);
  refuse_outputs_in_runs(outputs);
}

}  // namespace

void add_score(CLI::App& app, Chosen& chosen) {
  auto* command =
      app.add_subcommand("score", "Print the log-probability of given translations, one a line");
  auto given = std::make_shared<ScoreArguments>();
  ScoreOptions* options = &given->options;
  add_models(*command, options->models);
  add_repeated(
      *command, "-s,--source", options->sources,
      "Source text, plain or compressed; NAME=FILE for several sources; none for a language model")
      ->type_name("FILE");
  add_tag(*command, options->tag);
  add_direction(*command, options->direction);
  auto* target = command
                     ->add_option("-t,--target", options->target,
                                  "Translations, line by line, or the text for a language model")
                     ->type_name("FILE");
  add_reranking(*command, *given);
  command->add_option("-o,--output", options->output, "Output file, instead of standard output")
      ->type_name("FILE");
  command
      ->add_flag("--tokens", options->tokens,
                 "Write tokens and their log-probabilities, a JSON object for each line")
      ->needs(target);
  add_decoding_options(*command, options->decoding, "sentence pairs (64)");
  command->callback([&chosen, given, target] {
    if (target->empty() && !given->list)
      throw Error(ErrorKind::kUsage, "--target is required, or --nbest; see `heed score --help`");
    if (given->list) {
      given->options.reranking = given->reranking;
      given->options.reranking->list = *given->list;
    }
    chosen = [given] {
      check_files(given->options);
      return run_with_tensors(given->options);
    };
  });
}

}  // namespace heed
