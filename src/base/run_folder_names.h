// Names of the files in the folder of a run, and how a run ended, as its metrics.jsonl says; refusal
// of outputs that would damage a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/same_file.h"

namespace heed {

inline constexpr const char* kRunConfig = "config.yaml";
inline constexpr const char* kRunLog = "train.log";
inline constexpr const char* kRunMetrics = "metrics.jsonl";
inline constexpr const char* kRunCheckpoints = "checkpoints";
inline constexpr const char* kRunEvents = "tensorboard";
inline constexpr const char* kRunTranslations = "translations";
inline constexpr const char* kRunLock = ".lock";

// The folder of a checkpoint in kRunCheckpoints: "step-00000120".
std::string checkpoint_name(int64_t update);
// nullopt: it is not the name of a checkpoint.
std::optional<int64_t> update_of_checkpoint(std::string_view name);

// The texts of a test set in the folder of a run, with a line for each sentence: its translations by
// the tested checkpoint, and its references in the form that was scored. Slashes and other
// characters that a file name cannot have are written as %2f. The texts of a name of over 200 bytes
// are named by its hash.
struct TestTextFiles {
  std::filesystem::path translations, references;
};
TestTextFiles test_text_files(const std::filesystem::path& run, const std::string& set);
// Removes the texts of all test sets, and their folder if nothing else is in it.
void remove_test_texts(const std::filesystem::path& run);

// True for the folder of a run, which may have no checkpoint yet.
bool is_run(const std::filesystem::path& path);
// True if a process is training the run: it holds one of the locks of train/run_lock.h.
bool is_being_trained(const std::filesystem::path& run);
// True if the run is being trained and has saved no checkpoint so far.
bool awaits_first_checkpoint(const std::filesystem::path& run);

// Throws Error(kUsage) for an output that would replace a file of a run, or lie inside a model or
// checkpoint, which is damaged by it.
void refuse_outputs_in_runs(const std::vector<NamedFile>& outputs);

inline constexpr const char* kFinished = "finished";
inline constexpr const char* kStopped = "stopped";
inline constexpr const char* kDiverged = "diverged";

}  // namespace heed
