// A stage of a distillation: commands and own work that make some files from others.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "config/writer.h"

namespace heed {

// One part of a stage. The parts of a stage come one after the other.
struct StagePart {
  std::vector<std::string> arguments{};  // of heed, in a process of its own
  std::function<void()> work{};          // instead of it, in this process
  int64_t cores = 0;                     // of the command; 0: all
};

struct Stage {
  std::string name;   // also that of its record: "translation"
  std::string title;  // "translates 1,000 lines by the teacher"
  // All that the outputs depend on: settings as a text, and files, model folders or runs.
  std::string settings{};
  FlatConfig named_settings{};  // those of them that messages about changes name, by key
  std::vector<std::filesystem::path> inputs{};
  // Files and folders, whose parents are made. What a stage after it writes is none of them.
  std::vector<std::filesystem::path> outputs{};
  bool fills = false;   // its outputs are folders, which are made and which the parts fill
  bool trains = false;  // its output is a run, which is not trained anew unasked
  std::vector<StagePart> parts{};
};

// State of a stage.
struct StageRecord {
  std::string identity{};  // hash of all that its outputs depend on; "": it was never begun
  std::string outputs{};   // hash of its outputs, once it is done
  double seconds = 0;
  FlatConfig settings{};  // Stage::named_settings
  FlatConfig inputs{};    // hashes by path
};

// Work through stages in a folder. FOLDER/stages/NAME.json says by what a stage was made, and
// FOLDER/stages/NAME.log has the output of its commands.
class StageRunner {
 public:
  // retrain: runs whose inputs have changed are trained anew.
  StageRunner(std::filesystem::path folder, bool retrain);

  // Skips the stage if its outputs are those that it has made of these inputs. Begins it anew if
  // they or the inputs have changed, and continues it otherwise. Throws Interrupted after a signal,
  // Error(kUsage) if a run is not to be trained anew or an output was not made by the stage, and
  // the error of a command that fails.
  void run(const Stage& stage);

  // Seconds that the stage has taken, interruptions left out; 0 if it was not run.
  double seconds(const std::string& name) const;

 private:
  std::filesystem::path file(const std::string& name, const char* ending) const;
  void refuse_to_replace(const Stage& stage, const StageRecord& record, bool fits,
                         const std::string& changes) const;
  void run_parts(const Stage& stage);

  std::filesystem::path folder_;
  bool retrain_;
};

// The hash of a file, or of the model of a run, a checkpoint or a model folder.
std::string hash_of_input(const std::filesystem::path& path);

}  // namespace heed
