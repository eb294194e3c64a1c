// What a user names in the place of a model, and what was probably meant.
#pragma once

#include <string>

namespace heed {

// Throws Error(kModel) with the way out where `path` is something else that heed knows: a config, a
// file of a model, a text, the checkpoints of a run, a folder of runs. Returns for all the rest.
void refuse_other_than_model(const std::string& path);

}  // namespace heed
