// metrics.jsonl: one JSON object per line for each line of the log, with its "kind" (train,
// validation, test) and "update". Epochs and updates are counted from 1. When a run ends or is
// interrupted, a last line of kind "end" is written. The figures of training and validation may go
// to TensorBoard as well.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/descriptor.h"
#include "base/run_folder_names.h"
#include "report/event_file.h"
#include "run/score_identity.h"
#include "train/parts.h"
#include "train/translated_text.h"

namespace heed {

// Throughput over the updates since the previous line of the log.
struct Throughput {
  double tokens_per_second = 0;
  double waiting = 0;  // share of the time (Workers::waited())
};

class MetricsFile {
 public:
  // For a process that records nothing, because another one does.
  MetricsFile() = default;
  // Continues the file from this progress: removes lines of later updates and of the end. events: a
  // folder for TensorBoard; nullopt: only metrics.jsonl.
  MetricsFile(std::filesystem::path path, const Progress& progress,
              const std::optional<std::filesystem::path>& events = {});

  void updates(const Progress& progress, const UpdateReport& report, const Throughput& throughput);
  void validated(const Validation& validation, bool is_best, double seconds);
  // `checkpoint`: the update of the model that was tested.
  void tested(const std::string& name, const std::vector<TextScore>& scores,
              const ScoreIdentity& identity, int64_t update, int64_t checkpoint);
  // state: kFinished, kStopped or kDiverged.
  void ended(int64_t update, const char* state, const std::string& reason);

  // Test sets that were scored after this update, with the identity of their latest scores.
  std::map<std::string, ScoreIdentity> tested(int64_t update) const;

 private:
  void append(const std::string& line);
  std::filesystem::path path_;
  std::optional<Descriptor> file_;
  std::optional<EventFile> events_;
};

}  // namespace heed
