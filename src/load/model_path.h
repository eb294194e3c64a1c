// What a user names as a model, and what was probably meant where it is none.
#pragma once

#include <filesystem>
#include <string>

namespace heed {

// Throws Error(kModel) with the way out where `path` is something else that heed knows: a config, a
// file of a model, a text, the checkpoints of a run, a folder of runs. Returns for all the rest.
void refuse_other_than_model(const std::string& path);

// Whether it is the folder of a run, which may have no checkpoint yet.
bool is_run(const std::filesystem::path& path);

}  // namespace heed
