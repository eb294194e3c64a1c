// A model of the toy corpus, trained once by the program for all tests that need one.
#pragma once

#include "cli/program.h"
#include "cli/toy_corpus.h"

namespace heed {

inline std::string toy_config(const std::string& run) {
  return "run: " + run +
         "\n"
         "data:\n"
         "  train: [{source: train.src, target: train.tgt}]\n"
         "  valid: {source: valid.src, target: valid.tgt}\n"
         "text:\n"
         "  source: {type: words}\n"
         "  target: {share: source}\n"
         "model:\n"
         "  embedding: {width: 32}\n"
         "  encoder: {type: rnn, cell: gru, layers: 1, width: 64}\n"
         "  decoder:\n"
         "    type: rnn\n"
         "    cell: gru\n"
         "    layers: 1\n"
         "    width: 64\n"
         "    attend: after\n"
         "    attention: {score: {type: additive, hidden: 32}}\n"
         "train:\n"
         "  batch: {sentences: 32}\n"
         "  optimizer: {type: adam, rate: 0.005}\n"
         "  schedule: {type: inverse_sqrt, warmup: 50}\n"
         "  max_updates: 400\n"
         "  validate: {every: 200, metric: bleu}\n"
         "  log_every: 50\n";
}

// Folder with the toy corpus and toy.yaml, and with runs/toy after a call of trained().
class ToyWorkshop {
 public:
  ToyWorkshop() {
    write_toy_corpus(folder_.path());
    write_plainly(folder_ / "toy.yaml", toy_config("runs/toy"));
  }
  static ToyWorkshop& trained() {
    static ToyWorkshop workshop;
    static const Outcome outcome = workshop.run({"train", "toy.yaml"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    workshop.training_ = outcome;
    return workshop;
  }

  Outcome run(const Arguments& arguments, const std::string& input = "") const {
    return run_heed(arguments, {.input = input, .folder = folder_.path()});
  }
  // Translation of valid.src by runs/toy.
  std::string translation(const Arguments& options,
                          const std::map<std::string, std::string>& environment = {}) const {
    const Outcome outcome = run_heed(joined({"translate", "runs/toy", "-i", "valid.src"}, options),
                                     {.environment = environment, .folder = folder_.path()});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  }
  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }
  const std::filesystem::path& path() const { return folder_.path(); }
  std::string read(const std::string& name) const { return read_plainly(folder_ / name); }
  const Outcome& training() const { return training_; }

 private:
  TemporaryFolder folder_;
  Outcome training_;
};

}  // namespace heed
