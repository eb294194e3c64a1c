// State of a run's folder, and the effect of each command:
//
//   config.yaml   checkpoints              start       --resume            --overwrite
//   missing       none                     begins      exit code 2         begins
//   missing       some                     code 2      code 4              begins
//   there         none, and no link        code 2      begins              begins
//   there         none, but a link         code 2      code 4              begins
//   there         all damaged              code 2      code 4              begins
//   there         one whole or more        code 2      the newest intact   begins
//
// A metrics.jsonl that is not empty counts as a run for start: code 2. A damaged config.yaml is
// code 4 for --resume. `latest` and `best` are links. If a copy of the run has folders instead,
// these count as checkpoints. translate and inspect do not read config.yaml; they read only `best`
// or, if that does not exist, `latest`. They exit with code 4 if it is damaged or a dangling link.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "run/run_directory.h"

namespace heed {

enum class LinkState { kMissing, kDangling, kLink, kCopy };

struct RunState {
  bool config = false;   // true if config.yaml exists
  bool metrics = false;  // true if metrics.jsonl has lines
  LinkState latest = LinkState::kMissing, best = LinkState::kMissing;
  // Newest first; then `latest` and `best` unless they are links into checkpoints/.
  std::vector<std::filesystem::path> checkpoints;

  // True if there is anything that a new run must not overwrite.
  bool holds_run() const { return can_be_resumed() || metrics; }
  bool can_be_resumed() const { return config || !checkpoints.empty(); }
  // True if a training has written to the folder; a config.yaml may be anybody's.
  bool was_trained() const { return metrics || !checkpoints.empty(); }
};

// Lists the folder without opening checkpoints. Throws Error(kIo).
RunState look_at(const RunDirectory& folder);

// Throws Error(kUsage) if the mode does not fit the state of the folder, and Error(kModel) for a
// run that cannot be resumed because its config.yaml is lost.
void check_mode(const RunDirectory& folder, RunMode mode);

// The checkpoint that a resumed run starts from.
struct ResumePlan {
  std::filesystem::path checkpoint;
  int64_t update = 0;
  std::set<int64_t> whole;  // updates of checkpoints/ whose files match their manifest
  std::map<std::string, int64_t>
      copies;                        // updates of `latest` and `best` if they are intact folders
  std::vector<std::string> remarks;  // on everything unexpected
};

// Checks the manifest of every checkpoint and selects the newest intact one; nullopt if no
// checkpoint was ever written. Throws Error(kModel) if checkpoints were written and none is intact,
// Error(kIo) if one cannot be read, because it may be intact, and ForeignFile if an intact one
// contains a file that does not belong to it.
std::optional<ResumePlan> plan_resume(const RunDirectory& folder);

// Moves a copied `latest` or `best` to checkpoints/; deletes it if it is damaged or an intact
// checkpoint of its update is there. Links `latest` to the checkpoint of the plan and `best` to the
// first intact one of `ranked` (updates). Damaged folders in checkpoints/ stay until the next save.
// Returns the updates of the intact checkpoints. Throws Error(kIo).
std::set<int64_t> repair_run(const RunDirectory& folder, ResumePlan plan,
                             const std::vector<int64_t>& ranked);

}  // namespace heed
