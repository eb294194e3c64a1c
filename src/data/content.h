// What the files of training text hold, as a part of a key (data_cache.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/data_cache.h"
#include "data/training_text.h"

namespace heed {

// The hash of each file; nothing where one is a pipe, which is gone once it is read.
std::optional<std::string> content_of(const std::vector<std::filesystem::path>& files,
                                      DataCache& cache);
// The hashes of all files, by corpus and side, and their views; the names make no difference.
std::optional<std::string> content_of(const TrainingText& text, DataCache& cache);

}  // namespace heed
