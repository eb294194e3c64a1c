// The state of a run's folder, and what a command does:
//
//   config.yaml   checkpoints              start       --resume            --overwrite
//   missing       none                     begins      exit code 2         begins
//   missing       some                     code 2      code 4              begins
//   there         none, and no link        code 2      begins              begins
//   there         none, but a link         code 2      code 4              begins
//   there         all damaged              code 2      code 4              begins
//   there         one whole or more        code 2      the newest intact   begins
//
// A metrics.jsonl that is not empty counts as a run for start: code 2.
// A damaged config.yaml is code 4 for --resume. `latest` and `best` are links; where a copy of the
// run has folders instead, these count as checkpoints. translate and inspect read no config.yaml
// and nothing but `best` or, where there is no such name, `latest`: code 4 if it is damaged or names
// nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "train/run_directory.h"

namespace heed {

enum class LinkState { kMissing, kDangling, kLink, kCopy };

struct RunState {
  bool config = false;   // whether config.yaml is there
  bool metrics = false;  // whether metrics.jsonl has lines
  LinkState latest = LinkState::kMissing, best = LinkState::kMissing;
  // Newest first; then `latest` and `best` where they are no links into checkpoints/.
  std::vector<std::filesystem::path> checkpoints;

  // Whether there is anything that a new run must not overwrite.
  bool holds_run() const { return can_be_resumed() || metrics; }
  bool can_be_resumed() const { return config || !checkpoints.empty(); }
};

// Lists the folder; opens no checkpoint. Throws Error(kIo).
RunState look_at(const RunDirectory& folder);

// Throws Error(kUsage) where the mode does not fit what is there, and Error(kModel) for a run that
// cannot be resumed because its config.yaml is lost.
void check_mode(const RunDirectory& folder, RunMode mode);

// The checkpoint that a resumed run starts from.
struct ResumePlan {
  std::filesystem::path checkpoint;
  int64_t update = 0;
  std::set<int64_t> whole;  // updates of checkpoints/ whose files match their manifest
  std::map<std::string, int64_t>
      copies;                        // `latest` and `best` that are whole folders: their update
  std::vector<std::string> remarks;  // on everything unexpected
};

// Checks the manifest of every checkpoint and takes the newest that is whole; nullopt if none was
// ever written. Throws Error(kModel) if checkpoints were written and none is whole, Error(kIo) if
// one cannot be read, for it may be whole, and ForeignFile if a whole one holds a file that is not
// its own.
std::optional<ResumePlan> plan_resume(const RunDirectory& folder);

// Repairs links: moves a copied `latest` or `best` to checkpoints/, unless a whole checkpoint of
// its update is there; `latest` names the checkpoint of the plan, `best` the first whole one of
// `ranked` (updates). Damaged checkpoints stay until a newer one is written. Returns the updates of
// the whole ones.
std::set<int64_t> mend_run(const RunDirectory& folder, ResumePlan plan,
                           const std::vector<int64_t>& ranked);

}  // namespace heed
