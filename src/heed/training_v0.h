// Declarations of heed/training.h.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "heed/translator_v0.h"

namespace heed::v0 {

enum class TrainingStart {
  kNew,          // refuses a folder that has a run
  kResume,       // goes on from the newest intact checkpoint
  kResumeOrNew,  // resumes the run if there is one
  kOverwrite,    // replaces the run in the folder
};

struct TrainingOptions {
  std::map<std::string, std::string> set;  // keys of the config and their values
  std::string run;     // folder, from the current one; empty: `run` of the config
  std::string device;  // auto, cpu, cuda, cuda:N; empty: `device` of the config
  TrainingStart start = TrainingStart::kNew;
  bool data_changed = false;  // a resumed run may go on with other data
  // Receives each line of the log. level: info, warn or error. May be called from several threads,
  // one after the other. Without it nothing is shown; train.log in the folder of the run has all
  // lines.
  std::function<void(const std::string& level, const std::string& message)> log;
  // Called between batches, from several threads. Returning true ends the training; it saves a
  // checkpoint, from which it can be resumed, unless no update was done.
  std::function<bool()> stop;
};

struct TrainedRun {
  std::string folder;        // the argument of Translator()
  bool finished = false;     // false: stopped before its end
  std::int64_t updates = 0;  // of all trainings of this run
};

// Trains a run, then scores its test sets. config: path of the YAML file. Throws Error: kUsage for
// a config that cannot be trained, with all mistakes, or if another training runs in this process;
// kData, kModel, kIo, kDiverged, kFailure. A signal does not end it: use options.stop.
HEED_API TrainedRun train(const std::string& config, const TrainingOptions& options = {});

}  // namespace heed::v0
