// The steps of training in a preparation, and what they find: the checkpoint that a run resumes from
// or the model that it starts from, and the lock of a run that is there.
#pragma once

#include <optional>

#include "run/changed_data.h"
#include "run/prepared_data.h"
#include "run/run_lock.h"
#include "train/train_job.h"

namespace heed {

// All that a training is built from.
struct Preparation {
  RunSpec spec;  // settled
  std::optional<RunLock> lock{};
  ChangedData changed{};
  TrainJob job;
  std::optional<ResumePlan> plan{};
};

// The checkpoint that a run resumes from, and changes of the data since.
struct Resumption {
  std::optional<ResumePlan> plan{};
  DataRecord data{};
  ChangedData changed{};
};

class TrainingSteps final : public PreparationSteps {
 public:
  // A rehearsal takes no lock, and a new run may have any folder.
  enum class Purpose { kRun, kRehearsal };
  explicit TrainingSteps(Purpose purpose, TrainingProcess process = {})
      : purpose_(purpose), process_(std::move(process)) {}

  void check_memory(const RunConfig& config, const VocabularySizes& sizes) override;
  // Throws Error: kUsage if the mode does not fit the folder or the device is not there, kIo if
  // another process trains the run, kModel, kData.
  std::shared_ptr<DataCache> begin(RunSpec& spec) override;
  // Throws the errors of load_initial_model().
  const ModelText* initial_model(const InitConfig& init) override;
  const ResumePlan* plan() const override { return from_.plan ? &*from_.plan : nullptr; }
  bool is_first() const override { return process_.all->is_first(); }
  void together(const Step& step) override;
  void in_turn(const Step& step) override;
  // Throws Error(kUsage) in a process with another config, other files or another checkpoint.
  Codecs shared(const RunConfig& config, const std::function<Codecs()>& learn) override;

  // Ends the preparation. spec and data: of prepare_data().
  Preparation end(RunSpec spec, PreparedData data);

 private:
  Purpose purpose_;
  TrainingProcess process_;
  std::optional<RunLock> lock_;
  Resumption from_;
  NamedHashes hashes_;
  std::optional<InitialModel> initial_;
};

// Describes what a resumed run takes from its checkpoint, and changes of its data.
void say_what_is_kept(const RunSpec& spec, const ChangedData& changed);

}  // namespace heed
