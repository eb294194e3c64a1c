// A folder of models, which `heed serve --models` offers.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "cli/serve/model_loading.h"

namespace heed {

class ModelsFolder {
 public:
  // others: names of other models. The options and the memory have to outlive it. Throws Error(kUsage)
  // for what is no folder.
  ModelsFolder(std::filesystem::path folder, std::vector<std::string> others,
               const ServeOptions& options, ServeMemory& memory);

  // The models below the folder: packed models, model folders and runs with a checkpoint, by their
  // paths without .heed. Those that cannot be read, or whose names others have, are left out with a
  // warning, once for each state of their files. Of NAME and NAME.heed the first is offered.
  std::vector<UnloadedModel> scan();
  // True if models were added, removed or changed since the last scan.
  bool has_changed() const;

 private:
  // Facts of a model in a state of its files.
  struct Known {
    std::string version;
    bool is_left_out = false;
    UnloadedModel model{};
  };
  Known read(const NamedModel& named, const std::string& version) const;

  const std::filesystem::path folder_;
  const std::vector<std::string> others_;
  const ServeOptions& options_;
  ServeMemory& memory_;
  std::map<std::string, Known> known_;  // by name
};

}  // namespace heed
