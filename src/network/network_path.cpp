#include "network/network_path.h"

#include "nn/torch.h"

#include "base/file.h"
#include "load/model_path.h"
#include "network/device.h"

namespace heed {

NetworkModel load_network_model(const std::vector<std::string>& paths, const std::string& device) {
  const torch::Device chosen = choose_device(device);
  std::vector<LoadedModel> models;
  for (const std::string& path : paths) {
    refuse_other_than_model(path);
    LoadedModel& model = models.emplace_back();
    read_model(path, [&](const fs::path& folder) { model = load_model(folder, chosen); });
    for_each_module(*model.network, [](Module& part, const std::string&) { part.freeze(); });
  }
  return network_model(std::move(models));
}

}  // namespace heed
