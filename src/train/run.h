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
#include "train/resume.h"
#include "train/run_directory.h"
#include "train/run_state.h"
#include "train/train_config.h"
#include "train/train_phase.h"

namespace heed {

// Properties of the host of a process.
struct Machine {
  bool has_gpu = false;
  int64_t local_processes = 1;  // that share its cores
};

// Sets the number of workers. Resuming reads the stored config into `stored` and takes its number
// of workers if `now` names none. Throws Error(kUsage) with old and new value if another setting
// has changed that training depends on, and Error(kModel) if the stored config cannot be read.
void settle_settings(const RunDirectory& folder, RunMode mode, RunSettings now, RunSettings stored,
                     const Machine& machine);

// Prepares the folder, writes the log to its train.log as well, and writes config.yaml with every
// default.
void open_run(const RunDirectory& folder, RunMode mode, Settings& config);

// All processes of a run have the same job except for `processes` and the device. The first process
// writes the folder, which the others can read.
struct TrainJob {
  RunDirectory folder;  // opened
  uint64_t seed = 1;
  torch::Device device = torch::kCPU;
  TrainConfig train{};       // workers resolved
  SavedModelConfig model{};  // search: for translations in validation, samples and test sets
  Codecs codecs{};           // of a resumed run: codecs of its latest checkpoint
  std::shared_ptr<BatchStream> batches{};
  std::vector<TrainPhase> phases{};  // phases after the first
  int64_t examples_per_epoch = 0;    // used to estimate the remaining time; 0: unknown
  std::optional<EvaluationSet> valid{};
  std::vector<EvaluationSet> tests{};     // scored once, at the end, with the best checkpoint
  std::vector<std::string> notes{};       // about the data, logged at the start
  InitConfig init{};                      // of a new run
  std::optional<InitialModel> initial{};  // model named by init
  DataRecord data{};                      // stored in each checkpoint
  bool data_changed = false;     // since the checkpoint; its epoch is then repeated from the start
  std::string resume_command{};  // printed after an interruption
  std::shared_ptr<Reducer> processes = std::make_shared<OneProcess>();
};

struct RunInMemory;
class MetricsFile;

// A run whose model and optimizer are in memory.
class PreparedRun {
 public:
  // Loads the checkpoint of the plan, or initializes a new model; writes nothing. The job has to
  // outlive the object. Throws Error(kModel).
  PreparedRun(const TrainJob& job, std::optional<ResumePlan> plan);
  ~PreparedRun();
  PreparedRun(const PreparedRun&) = delete;
  PreparedRun& operator=(const PreparedRun&) = delete;

  // Trains, then scores the test sets; the folder is open. Returns the exit code: 0, or 129, 130
  // and 143 after a signal. Throws Error: kDiverged, kIo, kModel, kData.
  int train();

  const Seq2Seq& network() const;
  const std::vector<std::string>& notes() const { return notes_; }  // about the start of the run

 private:
  // transfer: from the initial model; nullopt without one.
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

// Describes the data for --dry-run: the first sentences of the first batch as numbers and as
// decoded text. Reads from the stream.
std::string describe_first_batch(const TrainJob& job);

}  // namespace heed
