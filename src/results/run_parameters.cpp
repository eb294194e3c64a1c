#include "results/run_parameters.h"

#include "base/model_folder.h"
#include "packed/stored_tensors.h"

namespace heed {

int64_t parameters_of(const RunSummary& run) {
  int64_t count = 0;
  read_model(run.folder, [&](const std::filesystem::path& folder) {
    count = 0;
    const StoredTensors weights(folder / kModelTensors);
    for (const auto& [name, entry] : weights.entries()) count += entry.numbers();
  });
  return count;
}

}  // namespace heed
