// Next command for a newly made model.
#pragma once

#include <filesystem>
#include <string>

#include "model/saved_model.h"

namespace heed {

// "heed translate RUN -i FILE", with an -i for each input; for a language model heed score.
std::string next_command(const std::filesystem::path& model, const SavedModelConfig& config);

}  // namespace heed
