// From the names in a config to files that exist.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/data_config.h"
#include "data/text_view.h"

namespace heed {

// Does the name hold *, ? or [?
bool is_pattern(const std::string& name);

// The files that a name or a pattern stands for, sorted by name (bytes); empty if there are none. A
// file that is called like the pattern itself is meant literally.
std::vector<std::filesystem::path> expand_pattern(const std::filesystem::path& root,
                                                  const std::string& name);

// The files of one corpus. sides: source sides in their order, then the target side. Files of the
// same position are parallel: sides[0].paths[i], sides[1].paths[i]; of a table or of JSON lines they
// are the same file, seen by other views.
struct CorpusFiles {
  std::string name;  // as in the config: "train.en + train.de", "train.tsv (1 + 2)"
  std::vector<TextFiles> sides;
  TextFiles edges{}, alignment{};    // parallel to them; empty: none
  std::vector<TextFiles> factors{};  // of each factor by name
  std::optional<std::string> tag{};
  double weight = 1;
};

// Throws Error(kUsage) if a file is missing, if sides have different numbers of files, or if the
// files that go together differ in what stands for the only `*` of each side's pattern.
CorpusFiles find_corpus_files(const std::filesystem::path& root, const CorpusConfig& config);
std::vector<CorpusFiles> find_training_files(const DataConfig& data,
                                             const std::filesystem::path& config_folder);

}  // namespace heed
