// Contents of the files of training text, as a part of a key (data_cache.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/data_cache.h"
#include "data/training_text.h"

namespace heed {

// Hash of each file; nullopt if one is a pipe, which can be read only once.
std::optional<std::string> content_of(const std::vector<std::filesystem::path>& files,
                                      DataCache& cache);
// Hashes of all files, by corpus and side, and their views. The names of the files have no effect.
std::optional<std::string> content_of(const TrainingText& text, DataCache& cache);

}  // namespace heed
