// A validation or test set: small, whole in memory, every line of it scored.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/corpus_files.h"
#include "data/pair_encoder.h"

namespace heed {

// The pair of a set with most tokens on one of its sides.
struct LongestPair {
  int64_t tokens = 0;
  std::string place{};  // file and line
  Example example{};
};

struct EvaluationSet {
  std::string name;
  // Raw lines of each source, then of the edges, the factors and the tags if there are any: what a
  // model reads.
  std::vector<std::vector<std::string>> sources;
  // As translations are written: without the joiner of subwords, lower-cased if those are.
  std::vector<std::string> references;
  bool lower_case = false;  // of the references
  // The same, encoded; nothing cut, but without those whose target the model can never write.
  std::vector<Example> examples;
  LongestPair longest{};
  size_t size() const { return references.size(); }
};

// The files of a validation or test set, found as those of a corpus are.
CorpusFiles find_evaluation_files(const std::filesystem::path& root,
                                  const EvaluationConfig& config);

// The texts of files one after the other. Throws Error(kIo), and Error(kData) with file and line on
// malformed UTF-8 and on a row without this text. Warns of line breaks inside of texts.
std::vector<std::string> read_lines(const TextFiles& files);

// The lines of each side. Throws Error(kIo), and Error(kData) on unequal line counts, no line at all, no
// target with text, or malformed UTF-8.
std::vector<std::vector<std::string>> read_sides(const CorpusFiles& files);
// The same, encoded. Throws what read_sides() and PairEncoder::encode() do.
EvaluationSet read_parallel(const std::string& name, const CorpusFiles& files,
                            const PairEncoder& encoder);

// Lays a set of the same sources behind another.
void append(EvaluationSet& set, EvaluationSet more);

}  // namespace heed
