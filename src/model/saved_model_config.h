// config.yaml of a model folder, and what follows from it: without tensors.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/source_facts.h"
#include "data/tags.h"
#include "model/model_config.h"
#include "search/search_config.h"
#include "text/codecs.h"
#include "text/text_config.h"

namespace heed {

struct VocabularySizes {
  std::map<std::string, int64_t> sources;
  int64_t target = 0;
  // The source or target side whose vocabulary a source uses; sources that are not listed have a
  // separate vocabulary.
  std::map<std::string, std::string> owners{};
  // Id of the sentence marker of a source, if it has one.
  std::map<std::string, int32_t> markers{};
  int64_t tags = 0;                          // of the sentences; 0: sentences have no tags
  std::map<std::string, int64_t> factors{};  // of each source factor
};

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
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
};

VocabularySizes vocabulary_sizes(const SavedModelConfig& config, const Codecs& codecs);
// Reads that of a folder. Throws Error(kModel).
SavedModelConfig read_model_config(const std::filesystem::path& folder);

// A model folder without its network.
struct ModelText {
  std::filesystem::path folder;
  SavedModelConfig config;
  Codecs codecs;  // by name of the source or factor, and "target"
};
// Checks the hashes of all files first. Throws Error(kModel) that names the file and the fault.
ModelText read_model_text(const std::filesystem::path& folder);
// The same with the config of the folder, which was read already.
ModelText read_model_text(const std::filesystem::path& folder, SavedModelConfig config);

}  // namespace heed
