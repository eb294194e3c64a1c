// A run that is asked for: its settings, its folder, and the files that it reads. `heed train`,
// `heed config check` and the library begin here; train/prepare.h goes on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "run/run_directory.h"
#include "run/run_files.h"

namespace heed {

enum class RunStart {
  kNew,          // refuses a folder that has a run
  kResume,       // goes on from the newest intact checkpoint
  kResumeOrNew,  // resumes the run if there is one
  kOverwrite,    // replaces the run in the folder
};

struct RunRequest {
  std::string config;                   // path of the YAML file
  std::vector<std::string> set{};       // KEY=VALUE, each overrides the config
  std::optional<std::string> run{};     // instead of the config's `run`; from the current folder
  std::optional<std::string> device{};  // instead of the config's `device`
  RunStart start = RunStart::kNew;
  bool data_changed = false;  // a resumed run may go on with other data
  bool is_check = false;      // no training: no warning of sections for other commands
};

struct RunSpec {
  RunConfig config;  // with its phases, without files that nothing reads
  RunDirectory folder;
  RunMode mode = RunMode::kFresh;  // the start, decided by what is in the folder
  RunFiles files{};
  bool data_changed = false;
  std::string resume_command{};  // continues this training
};

// Reads the config and finds all files. Logs the notes and warnings on the config. Throws the
// errors of read_run_config() and find_run_files(); Error(kUsage) for an empty folder name, a name
// that is not UTF-8 or no run to resume; Error(kIo).
RunSpec find_run(const RunRequest& request);

}  // namespace heed
