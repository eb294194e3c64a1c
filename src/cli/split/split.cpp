// `heed split`.
#include "base/error.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/corpus_options.h"
#include "data/corpus_split.h"

namespace heed {

void add_split(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "split", "Divide a corpus into training, validation and test data without common sentences");
  auto options = std::make_shared<SplitOptions>();
  add_corpus_options(*command, options->corpus);
  add_repeated(*command, "--with", options->with,
               "File whose lines belong to those of --source, such as alignments; repeatable")
      ->type_name("FILE");
  constexpr const char* kPairs = "Pairs of the {} set (2000, or a twentieth of a smaller corpus)";
  command->add_option("--valid", options->valid, fmt::format(kPairs, "validation"))
      ->check(whole_number(kNotNegative))
      ->type_name("NUMBER");
  command->add_option("--test", options->test, fmt::format(kPairs, "test"))
      ->check(whole_number(kNotNegative))
      ->type_name("NUMBER");
  command->add_option("--seed", options->seed, "Seed of the draw (1)")
      ->check(whole_number(kNotNegative))
      ->type_name("NUMBER");
  command
      ->add_option("-o,--output", options->output,
                   "Folder of the new files: train.en, valid.en, test.en and so on")
      ->required()
      ->type_name("FOLDER");
  command->add_flag("--force", options->force, "Replace files of these names");
  command->callback([&chosen, options] {
    chosen = [options] {
      split_corpus(*options);
      return 0;
    };
  });
}

}  // namespace heed
