// The data of a run, from its files to batches:
//
//   RunSpec spec = find_run(request);
//   const PreparedData data = prepare_data(spec, steps);
//
// `heed config check` and training (train/prepare.h) take these steps in this order.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/evaluation_set.h"
#include "model/saved_model_config.h"
#include "run/phase_batches.h"
#include "run/run_spec.h"
#include "run/run_state.h"

namespace heed {

struct PreparedData {
  Codecs codecs{};                       // of a resumed run: those of its checkpoint
  SavedModelConfig model{};              // with what the training text says of it
  std::vector<PhaseBatches> batches{};   // of each phase
  std::optional<EvaluationSet> valid{};  // all validation sets as one
  std::vector<EvaluationSet> tests{};

  // The data report of each phase with different data.
  std::vector<std::string> notes() const;
};

// Steps of a preparation in which a check differs from a training. The functions that are
// implemented here are those of a new run in one process.
class PreparationSteps {
 public:
  using Step = std::function<void()>;
  virtual ~PreparationSteps() = default;

  // Throws Error(kUsage) if the memory of this machine is too small for the model.
  virtual void check_memory(const RunConfig& config, const VocabularySizes& sizes) = 0;
  // Fills in what this machine decides. Returns the cache of the data.
  virtual std::shared_ptr<DataCache> begin(RunSpec& spec) = 0;
  // The model of init.model; nullptr: none.
  virtual const ModelText* initial_model(const InitConfig& init) = 0;
  // The checkpoint that the run resumes from; nullptr: none. Known after begin().
  virtual const ResumePlan* plan() const { return nullptr; }

  // Several processes prepare a run together. The first one warns about the data.
  virtual bool is_first() const { return true; }
  // Takes a step in each process. If it fails in one, all throw.
  virtual void together(const Step& step) { step(); }
  // The same in one process after another, for a step that writes a file which the others read.
  virtual void in_turn(const Step& step) { step(); }
  // Codecs for all processes, learned by the first.
  virtual Codecs shared(const RunConfig& config, const std::function<Codecs()>& learn) {
    return learn();
  }
};

// Reads all data and logs warnings about them. Throws the errors of the steps; Error: kUsage for
// tokens and text that do not fit, kData, kModel, kIo.
PreparedData prepare_data(RunSpec& spec, PreparationSteps& steps);

// True if a line of the set is longer than all sentences of the training.
bool exceeds_training(const EvaluationSet& set, const SavedModelConfig& model);

}  // namespace heed
