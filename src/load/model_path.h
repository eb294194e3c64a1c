// Messages for a path that is not a model, with a suggestion of what was probably meant.
#pragma once

#include <filesystem>
#include <string>

namespace heed {

// Throws Error(kModel) with advice if `path` is something else that heed knows: a config, a file of
// a model, a text, the checkpoints of a run, a folder of runs; or if a similar name exists. Throws
// Error(kUsage) for an empty path. Returns in all other cases.
void refuse_other_than_model(const std::string& path);

}  // namespace heed
