// The model folder, with everything that translation needs: model.safetensors, config.yaml (text,
// model and search), vocabularies, tokenizer models and MANIFEST.json with the size and hash of
// each, which is checked before any of them is read.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/model_folder.h"
#include "config/fields.h"
#include "data/source_facts.h"
#include "data/tags.h"
#include "model/safetensors.h"
#include "model/seq2seq.h"
#include "search/search_config.h"
#include "text/codecs.h"
#include "text/text_config.h"

namespace heed {

// config.yaml of a model folder, from which the model is rebuilt.
struct SavedModelConfig final : Settings {
  std::vector<std::string> sources = {"source"};  // names, in the order of Example::sources
  Tags tags;                                      // of the data; empty: they have none
  TextConfigs text;
  ModelConfig model;
  SearchConfig search;                // the default
  std::optional<int64_t> max_length;  // pieces of the longest sentence it was trained with
  std::string target_words;           // find_target_words() of the training
  std::string source_language, target_language;  // codes of ISO 639; "": unknown
  // find_source_facts() of the source that the decoder attends to; none: of an import, or an older
  // model.
  std::optional<SourceFacts> source_lines;
  void fields(Fields& f) const override;
  void validate(Problems& problems) const override;
};

// A loaded model, ready to use.
struct LoadedModel {
  SavedModelConfig config;
  Codecs codecs;  // by name of the source or factor, and "target"
  std::shared_ptr<Seq2Seq> network;
};

VocabularySizes vocabulary_sizes(const SavedModelConfig& config, const Codecs& codecs);

// Writes into an existing, empty folder (the caller makes it appear whole). Error(kIo).
void save_model(const std::filesystem::path& folder, SavedModelConfig& config, const Codecs& codecs,
                const Seq2Seq& network);
// The config of a model folder. Throws Error(kModel).
SavedModelConfig read_model_config(const std::filesystem::path& folder);
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
