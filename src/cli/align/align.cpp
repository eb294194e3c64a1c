// `heed align`.
#include "base/host.h"
#include "cli/align/alignment_job.h"
#include "cli/arguments.h"
#include "cli/command_line.h"
#include "cli/corpus_options.h"
#include "config/sizes.h"

namespace heed {

namespace {

const std::map<std::string, Symmetrization>& symmetrizations() {
  static const std::map<std::string, Symmetrization> names{
      {"intersection", Symmetrization::kIntersection},
      {"union", Symmetrization::kUnion},
      {"grow-diag", Symmetrization::kGrowDiag},
      {"grow-diag-final", Symmetrization::kGrowDiagFinal},
      {"grow-diag-final-and", Symmetrization::kGrowDiagFinalAnd}};
  return names;
}

struct AlignArguments {
  AlignmentOptions options{};
  std::string symmetrization = "grow-diag-final-and";
  std::optional<int64_t> workers{};
  bool diagonal = false;
};

void add_file(CLI::App& command, const char* names, std::optional<std::string>& file,
              const char* help) {
  command.add_option(names, file, help)->type_name("FILE");
}

}  // namespace

void add_align(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "align", "Align the words of a parallel text, for guided alignment and lexicons");
  auto given = std::make_shared<AlignArguments>();
  AlignmentOptions* options = &given->options;
  add_corpus_options(*command, options->corpus);
  command
      ->add_option("-o,--output", options->output,
                   "Alignments, a line `i-j …` for each pair of lines (standard output)")
      ->type_name("FILE");
  command
      ->add_option("--tokenizer", options->tokenizer,
                   "Align the tokens of this tokenizer and write the links of their words")
      ->type_name("TOKENIZER");
  auto* cased =
      command->add_flag("--cased", options->cased, "Words with and without capital letters differ");
  auto* diagonal = command->add_flag("--diagonal", given->diagonal,
                                     "Only the model of fast_align, faster but less accurate");
  command
      ->add_option("--symmetrize", given->symmetrization,
                   "How links of both directions are combined: intersection, union, grow-diag, "
                   "grow-diag-final or grow-diag-final-and (grow-diag-final-and)")
      ->check(CLI::IsMember(symmetrizations()).description(""))
      ->type_name("NAME");
  add_file(*command, "--forward", options->forward,
           "Links of the direction in which each target word has at most one");
  add_file(*command, "--reverse", options->reverse,
           "Links of the direction in which each source word has at most one");
  add_file(*command, "--scores", options->scores,
           "Log-likelihoods per word of the target and of the source, for each pair of lines");
  add_file(*command, "--lexicon", options->lexicon,
           "Translation probabilities, a line `target source probability` for each pair of words");
  add_file(*command, "--gold", options->gold,
           "Manual alignment of the first lines; print the alignment error rate");
  add_file(*command, "--save-model", options->save, "Write the trained model of alignments");
  auto* load =
      command
          ->add_option("--load-model", options->load, "Align by a trained model, without training")
          ->type_name("FILE");
  load->excludes(cased)->excludes(diagonal)->excludes(command->get_option("--save-model"));
  command->add_option("--workers", given->workers, "Threads (one per core)")
      ->check(whole_number(kThreads))
      ->type_name("NUMBER");
  command->callback([&chosen, given] {
    chosen = [given] {
      given->options.workers = given->workers.value_or(usable_cores());
      given->options.symmetrization = symmetrizations().at(given->symmetrization);
      if (given->diagonal) given->options.aligner = AlignerOptions::diagonal();
      run_alignment(given->options);
      return 0;
    };
  });
}

}  // namespace heed
