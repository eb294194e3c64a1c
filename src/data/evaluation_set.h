// Validation or test set: small, kept in memory, every line scored.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/corpus_files.h"
#include "data/pair_encoder.h"

namespace heed {

// Pair of a set with the most tokens on one of its sides.
struct LongestPair {
  int64_t tokens = 0;
  std::string place{};  // file and line
  Example example{};
};

struct EvaluationSet {
  std::string name;
  // Input of a model as raw lines: each source, then edges, factors and tags if there are any.
  std::vector<std::vector<std::string>> sources;
  // Targets in the form of translations: without the joiner of subwords, lower-cased if
  // translations are.
  std::vector<std::string> references;
  bool lower_case = false;  // of the references
  // Encoded pairs, never truncated, without pairs whose target the model cannot write.
  std::vector<Example> examples;
  LongestPair longest{};
  size_t size() const { return references.size(); }
};

// Finds the files of a validation or test set as for a corpus.
CorpusFiles find_evaluation_files(const std::filesystem::path& root,
                                  const EvaluationConfig& config);

// Texts of the files, one file after the other. Throws Error(kIo), and Error(kData) with file and
// line on malformed UTF-8 and on a row without this text. Warns of line breaks inside texts.
std::vector<std::string> read_lines(const TextFiles& files);

// Lines of each side. Throws Error(kIo), and Error(kData) if line counts differ, all files are
// empty, a target has no text, or UTF-8 is malformed.
std::vector<std::vector<std::string>> read_sides(const CorpusFiles& files);
// Reads and encodes a set. Throws as read_sides() and PairEncoder::encode() do.
EvaluationSet read_parallel(const std::string& name, const CorpusFiles& files,
                            const PairEncoder& encoder);

// The text of `most` lines of a set or of all, evenly spread, since a set may consist of several, one
// for each language. Without examples.
EvaluationSet text_of(const EvaluationSet& set, const std::optional<int64_t>& most);

// Appends a set with the same sources to another.
void append(EvaluationSet& set, EvaluationSet more);

}  // namespace heed
