#include "train/model_average.h"

#include "nn/torch.h"

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "config/settings_tree.h"

namespace heed {

namespace {

namespace fs = std::filesystem;

bool have_equal_networks(LoadedModel& a, LoadedModel& b) {
  return equal(a.config.model, b.config.model) && a.config.sources == b.config.sources &&
         a.config.tags == b.config.tags;
}

bool have_equal_vocabularies(const LoadedModel& a, const LoadedModel& b) {
  return std::ranges::equal(a.codecs, b.codecs, [](const auto& x, const auto& y) {
    return x.first == y.first && x.second->vocabulary() == y.second->vocabulary();
  });
}

void check_alike(LoadedModel& first, LoadedModel& other, const fs::path& first_folder,
                 const fs::path& folder) {
  const char* difference = !have_equal_networks(first, other) ? "networks"
                           : !changed_text(first.config.text, other.config.text).empty()
                               ? "tokenizers"
                           : !have_equal_vocabularies(first, other) ? "vocabularies"
                                                                    : nullptr;
  if (difference != nullptr)
    throw_error(ErrorKind::kModel, "{} and {} have different {}; average checkpoints of one run",
                first_folder.string(), folder.string(), difference);
}

}  // namespace

LoadedModel average_models(const std::vector<fs::path>& folders) {
  const torch::NoGradGuard no_grad;
  LoadedModel mean = load_model(folders.at(0), torch::kCPU);
  const NamedTensors tensors = tensors_of(*mean.network);
  NamedTensors sums;  // of parameters; buffers, such as random features, have no mean
  for (const auto& item : mean.network->named_parameters())
    if (tensors.contains(item.key()))
      sums[item.key()] = item.value().to(torch::kDouble, false, /*copy=*/true);
  for (size_t i = 1; i < folders.size(); ++i) {
    LoadedModel other = load_model(folders[i], torch::kCPU);
    check_alike(mean, other, folders[0], folders[i]);
    if (!equal(mean.config.search, other.config.search))
      spdlog::warn("{} has other search settings than {}, whose settings the average has",
                   folders[i].string(), folders[0].string());
    for (const auto& [name, tensor] : tensors_of(*other.network))
      if (sums.contains(name)) sums.at(name).add_(tensor);
    if (mean.config.max_length && other.config.max_length)
      mean.config.max_length = std::max(*mean.config.max_length, *other.config.max_length);
  }
  for (auto& [name, sum] : sums)
    Tensor(tensors.at(name)).copy_(sum.div_(static_cast<double>(folders.size())));
  return mean;
}

}  // namespace heed
