// Finds the files that the names in a config stand for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/data_config.h"
#include "data/text_view.h"

namespace heed {

// True if the name contains *, ? or [.
bool is_pattern(const std::string& name);

// Files that match a name or a pattern, sorted by name (bytes); may be empty. A file whose name is
// the pattern itself is taken literally.
std::vector<std::filesystem::path> expand_pattern(const std::filesystem::path& root,
                                                  const std::string& name);

// Files of one corpus. sides: source sides in their order, then the target side. Files with the
// same index are parallel: sides[0].paths[i], sides[1].paths[i]. For a table or JSON lines they are
// the same file with different views.
struct CorpusFiles {
  std::string name;  // as in the config: "train.en + train.de", "train.tsv (1 + 2)"
  std::vector<TextFiles> sides;
  TextFiles edges{}, alignment{}, supporting_facts{};  // parallel to them; empty: none
  std::vector<TextFiles> factors{};                    // of each factor by name
  std::optional<std::string> tag{};
  double weight = 1;
  std::optional<double> share{};  // of an epoch, in place of a weight
  bool augment = true;
};

// Throws Error(kUsage) if a file is missing, if sides have different numbers of files, or if
// parallel files differ in the part that matches the only `*` of each side's pattern.
CorpusFiles find_corpus_files(const std::filesystem::path& root, const CorpusConfig& config);
std::vector<CorpusFiles> find_training_files(const DataConfig& data,
                                             const std::filesystem::path& config_folder);

}  // namespace heed
