#include "base/error.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/tensor_library.h"
#include "cli/trim/options.h"

namespace heed {

namespace {

void add_corpus(CLI::App& command, TrimTexts& corpus) {
  add_repeated(command, "-s,--source", corpus.sources,
               "Source text of the corpus, plain or compressed; NAME=FILE for several sources")
      ->type_name("FILE")
      ->group(kInputGroup);
  add_repeated(command, "-t,--target", corpus.targets, "Target text")
      ->type_name("FILE")
      ->group(kInputGroup);
  add_repeated(command, "--keep", corpus.all,
               "Text of any side: its tokens stay in all vocabularies")
      ->type_name("FILE")
      ->group(kInputGroup);
}

void add_check(CLI::App& command, TrimTexts& check) {
  constexpr const char* kGroup = "Check";
  add_repeated(command, "--check-source", check.sources,
               "Other source text, of which the unknown tokens before and after are counted")
      ->type_name("FILE")
      ->group(kGroup);
  add_repeated(command, "--check-target", check.targets, "Other target text")
      ->type_name("FILE")
      ->group(kGroup);
}

void add_settings(CLI::App& command, TrimSettings& settings) {
  constexpr const char* kGroup = "Tokens that stay";
  command
      .add_option("--min-count", settings.min_count,
                  "Tokens that occur N times or more in the corpus (1)")
      ->type_name("N")
      ->check(whole_number(kPositive))
      ->group(kGroup);
  command
      .add_option("--size", settings.size,
                  "At most N tokens of each vocabulary: the most frequent ones")
      ->type_name("N")
      ->check(whole_number(kPositive))
      ->group(kGroup);
  command
      .add_flag("--all-characters", settings.all_characters,
                "All single characters of a subword vocabulary, not only those of the corpus")
      ->group(kGroup);
}

}  // namespace

void add_trim(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "trim", "Make a model smaller: without the tokens that a corpus does not use");
  auto options = std::make_shared<TrimOptions>();
  command->add_option("MODEL", options->model, "A run, a checkpoint or a model folder")
      ->required()
      ->type_name("");
  add_corpus(*command, options->corpus);
  add_settings(*command, options->settings);
  add_check(*command, options->check);
  command->add_option("-o,--output", options->output, "Folder of the new model")
      ->required()
      ->type_name("FOLDER");
  command->callback([&chosen, options] {
    if (options->corpus.empty())
      throw Error(ErrorKind::kUsage,
                  "name the corpus by --source and --target, or by --keep; see `heed trim --help`");
    chosen = [options] { return run_with_tensors(*options); };
  });
}

}  // namespace heed
