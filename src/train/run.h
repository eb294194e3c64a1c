// A training run from its built parts: `heed train` after its config is read.
//
//   RunDirectory folder(config.run);
//   const auto plan = plan_resume(folder);        // of a resumed run
//   settle_settings(folder, mode, {config, config.train}, {stored, stored.train}, on_gpu);
//   …codecs, corpus, validation and test sets…
//   PreparedRun run(job, plan);                   // nothing is written so far
//   open_run(folder, mode, config);
//   return run.train();
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "data/batch_stream.h"
#include "data/evaluation_set.h"
#include "distributed/reducer.h"
#include "model/saved_model.h"
#include "search/search_config.h"
#include "train/data_record.h"
#include "train/initial_model.h"
#include "train/run_directory.h"
#include "train/run_state.h"
#include "train/train_config.h"
#include "train/train_phase.h"

namespace heed {

// A run's config: the whole of it, and the part of it that training reads.
struct RunSettings {
  Settings& all;
  TrainConfig& train;
};

// What a process finds on its host.
struct Machine {
  bool has_gpu = false;
  int64_t local_processes = 1;  // that share its cores
};

// Fills in the number of workers. Resuming reads the stored config into `stored`, takes its number
// of workers if `now` names none, and throws Error(kUsage) with old and new value if anything else
// has changed that training depends on, Error(kModel) if the stored config cannot be read.
void settle_settings(const RunDirectory& folder, RunMode mode, RunSettings now, RunSettings stored,
                     const Machine& machine);

// Makes the folder ready, sends the log to its train.log as well and writes config.yaml with every
// default.
void open_run(const RunDirectory& folder, RunMode mode, Settings& config);

// All processes of a run have the same job but for `processes` and the device. The first one writes
// the folder, which the others see.
struct TrainJob {
  RunDirectory folder;  // opened
  uint64_t seed = 1;
  torch::Device device = torch::kCPU;
  TrainConfig train{};       // workers resolved
  SavedModelConfig model{};  // its search: of validation by translations, samples and test sets
  Codecs codecs{};           // of a resumed run: those of its latest checkpoint
  std::shared_ptr<BatchStream> batches{};
  std::vector<TrainPhase> phases{};  // after the first
  int64_t examples_per_epoch = 0;    // for the time left; 0: unknown
  std::optional<EvaluationSet> valid{};
  std::vector<EvaluationSet> tests{};     // scored once, at the end, with the best checkpoint
  std::vector<std::string> notes{};       // on the data, logged at the start
  InitConfig init{};                      // of a new run
  std::optional<InitialModel> initial{};  // its model
  DataRecord data{};                      // kept in each checkpoint
  bool data_changed = false;              // since the checkpoint: its epoch starts again
  std::string resume_command{};           // printed after an interruption
  std::shared_ptr<Reducer> processes = std::make_shared<OneProcess>();
};

struct RunInMemory;
class MetricsFile;

// A run whose model and optimizer are in memory.
class PreparedRun {
 public:
  // Loads the checkpoint of the plan, or initialises a new model; writes nothing. The job has to
  // outlive this. Throws Error(kModel).
  PreparedRun(const TrainJob& job, std::optional<ResumePlan> plan);
  ~PreparedRun();
  PreparedRun(const PreparedRun&) = delete;
  PreparedRun& operator=(const PreparedRun&) = delete;

  // The folder is open. Trains, then scores the test sets. Returns the exit code: 0, or 129, 130
  // and 143 after a signal. Throws Error: kDiverged, kIo, kModel, kData.
  int train();

  const Seq2Seq& network() const;
  const std::vector<std::string>& notes() const { return notes_; }  // on what it begins with

 private:
  // transfer: from the initial model; none: there is none.
  void initialize(const std::optional<ParameterTransfer>& transfer);
  void check_frozen();
  void check_longest_lines();
  // whole: updates whose checkpoints are intact.
  int train(MetricsFile& metrics, const std::set<int64_t>& whole);

  const TrainJob& job_;
  std::vector<std::string> notes_;
  std::optional<ResumePlan> plan_;
  std::unique_ptr<RunInMemory> state_;
};

// What --dry-run prints of the data: the first sentences of the first batch as numbers and as text
// again. Reads from the stream.
std::string describe_first_batch(const TrainJob& job);

}  // namespace heed
