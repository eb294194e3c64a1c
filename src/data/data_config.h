// `data:` section: files, and the treatment of lines that cannot be used.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "config/fields.h"
#include "data/augment/augment_config.h"
#include "data/example.h"
#include "data/tags.h"
#include "data/text_view.h"

namespace heed {

// File patterns by source name. `source: train.en` names the only source, kSourceSide; `source:
// {en: a.en, de: a.de}` names several; the map of a language model is empty. Lists of sources are
// in the order of the names. With `tsv`, `jsonl` or `tmx`, the values are columns, keys or languages
// instead of files.
using SourceFiles = std::map<std::string, std::string>;
using FactorFiles = std::map<std::string, std::string>;  // by the name of the factor

// One file with all sides; without `tsv`, `jsonl` and `tmx` each side is a separate file.
struct TableConfig : Settings {
  std::optional<std::string> tsv, jsonl, tmx;
  // Pattern of that file.
  const std::optional<std::string>& table() const { return tsv ? tsv : jsonl ? jsonl : tmx; }
  // View of the side with this column, key or file.
  TextView view(const std::string& name) const;
  const char* example() const override {
    return "{source: FILE, target: FILE} or {tsv: FILE, source: 1, target: 2}";
  }
};

struct CorpusConfig final : TableConfig {
  SourceFiles source;
  std::string target;
  std::optional<std::string> edges;
  std::optional<std::string> alignment;
  std::optional<std::string> supporting_facts;
  FactorFiles factors;
  std::optional<std::string> tag;
  double weight = 1;
  std::optional<double> share;
  bool augment = true;
  void fields(Fields& f) override;
};

// A validation or test set.
struct EvaluationConfig final : TableConfig {
  SourceFiles source;
  std::string target;
  std::optional<std::string> edges;
  FactorFiles factors;
  std::optional<std::string> tag;
  void fields(Fields& f) override;
};

// Reason why a factor cannot have this name beside these sources.
std::optional<std::string> fault_of_factor_name(const std::string& name,
                                                const std::vector<std::string>& sources);

enum class TooLong { kDrop, kTruncate, kError };
enum class EmptyLine { kDrop, kError };
enum class Malformed { kDrop, kReplace, kError };

// Treatment of training pairs that cannot be used as they are. Validation and test sets are never
// cleaned.
struct Cleaning {
  int64_t max_length = 100;
  std::optional<int64_t> max_source_length{}, max_target_length{};  // instead of max_length
  std::optional<double> max_ratio{};
  TooLong too_long = TooLong::kDrop;
  EmptyLine empty = EmptyLine::kDrop;
  Malformed malformed = Malformed::kDrop;
  void fields(Fields& f);
  // Maximum number of tokens.
  int64_t longest_source() const { return max_source_length.value_or(max_length); }
  int64_t longest_target() const { return max_target_length.value_or(max_length); }
  // Maximum for side `side` of `sides`; the last side is the target.
  int64_t longest(size_t side, size_t sides) const {
    return side + 1 < sides ? longest_source() : longest_target();
  }
};

struct DataConfig final : Settings {
  std::string dir = ".";
  std::vector<CorpusConfig> train;
  double temperature = 1;
  std::optional<AugmentConfig> augment;
  std::vector<EvaluationConfig> valid;  // concatenated
  std::map<std::string, EvaluationConfig> test;
  Cleaning cleaning;
  double min_kept = 0.5;
  std::optional<std::string> cache;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
  // Names of the sources in the first corpus.
  std::vector<std::string> sources() const;
  // Names of the sources, then the target.
  std::vector<std::string> sides() const;
  bool has_edges() const { return !train.empty() && train.front().edges.has_value(); }
  void forget_edges();  // if no model part reads them
  bool has_alignments() const { return !train.empty() && train.front().alignment.has_value(); }
  void forget_alignments();  // if no model part reads them
  bool has_supporting_facts() const {
    return !train.empty() && train.front().supporting_facts.has_value();
  }
  void forget_supporting_facts();  // if no loss reads them
  // Names of the factors in the first corpus.
  std::vector<std::string> factors() const;
  // Tags of the training corpora; empty if they have no tags.
  Tags tags() const;
  // Root of relative paths: `dir`, relative to the config's folder.
  std::filesystem::path root(const std::filesystem::path& config_folder) const;
  // Folder `cache`, relative to root().
  std::optional<std::filesystem::path> cache_folder(
      const std::filesystem::path& config_folder) const;
};

// Adds a problem for every named file that does not exist and every pattern without a match.
void find_missing_data_files(const DataConfig& data, const std::filesystem::path& config_folder,
                             Problems& problems);

}  // namespace heed
