// The model folder, with everything that translation needs: model.safetensors, config.yaml (text,
// model and search), vocabularies, tokenizer models and MANIFEST.json with the size and hash of
// each, which is checked before any of them is read.
#pragma once

#include <filesystem>
#include <memory>

#include "base/model_folder.h"
#include "model/safetensors.h"
#include "model/saved_model_config.h"
#include "model/seq2seq.h"
#include "text/codecs.h"

namespace heed {

// A loaded model, ready to use.
struct LoadedModel : ModelText {
  std::shared_ptr<Seq2Seq> network;
};

// Writes into an existing, empty folder (the caller makes it appear whole). Error(kIo).
void save_model(const std::filesystem::path& folder, SavedModelConfig& config, const Codecs& codecs,
                const Seq2Seq& network);
// Throws Error(kModel) that names the file and the fault.
LoadedModel load_model(const std::filesystem::path& folder, torch::Device device);

// Parameters and buffers by name; shared ones once, under their first name. The tensors are the
// module's own, not copies.
NamedTensors tensors_of(const torch::nn::Module& module);
// Fills them from a file: each has to be there, with this type and shape, and nothing else.
// Error(kModel) that names file and tensor.
void read_tensors_into(const NamedTensors& tensors, SafetensorsReader& reader,
                       const std::filesystem::path& path);

}  // namespace heed
