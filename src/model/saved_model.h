// A model as it lies on disk, enough to translate: model.safetensors, config.yaml (text and model), vocabularies,
// tokenizer models and MANIFEST.json with the size and hash of each, which is checked before any of them is read.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/fields.h"
#include "model/seq2seq.h"
#include "text/codec.h"
#include "text/text_config.h"

namespace heed {

// config.yaml of a model folder: what is needed to rebuild it.
struct SavedModelConfig final : Settings {
  std::vector<std::string> sources;                       // names, in the order of Example::sources
  std::map<std::string, TextConfig> text;
  ModelConfig model;
  void fields(Fields& f) override;
};

// A loaded model, ready to use.
struct LoadedModel {
  SavedModelConfig config;
  std::map<std::string, std::shared_ptr<const Codec>> codecs;     // by side: the sources' names and "target"
  std::shared_ptr<Seq2Seq> network;
};

// Writes into an existing, empty folder (the caller makes it appear whole).
void save_model(const std::filesystem::path& folder, SavedModelConfig& config,
                const std::map<std::string, std::shared_ptr<const Codec>>& codecs, const Seq2Seq& network);
// Throws Error(kModel) that names the file and what is wrong with it.
LoadedModel load_model(const std::filesystem::path& folder, torch::Device device);

// A run directory (best, else latest checkpoint), a checkpoint, or a model folder → the model folder.
// Throws Error(kModel) if it is none of them.
std::filesystem::path find_model(const std::filesystem::path& path);

}  // namespace heed
