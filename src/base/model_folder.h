// Finds the model folder of a run, a checkpoint or a path.
#pragma once

#include <filesystem>
#include <functional>

namespace heed {

// Files of a model folder, beside vocabularies, tokenizer models and the manifest.
inline constexpr const char* kModelConfig = "config.yaml";
inline constexpr const char* kModelTensors = "model.safetensors";

// The model folder of a run directory (its best checkpoint, or the latest one without a best), a
// checkpoint or a model folder; a packed model, whose files are named as those of a folder
// (packed_file.h). Throws Error(kModel) if it is none of them, damaged, or a model of another toolkit,
// and if `best` names a checkpoint that is not there.
std::filesystem::path find_model(const std::filesystem::path& path);
// Calls `read` with that folder, links resolved. If a training run meanwhile moves `best` and
// deletes the checkpoint, `read` is called again with the next one.
void read_model(const std::filesystem::path& path,
                const std::function<void(const std::filesystem::path& folder)>& read);

}  // namespace heed
