// The mean of the parameters of several checkpoints (Junczys-Dowmunt et al. 2016).
#pragma once

#include <filesystem>
#include <vector>

#include "model/saved_model.h"

namespace heed {

// Config, vocabularies and buffers (random features) are those of the first. Throws Error(kModel)
// that names two models whose networks or vocabularies differ. At least one folder.
LoadedModel average_models(const std::vector<std::filesystem::path>& folders);

}  // namespace heed
