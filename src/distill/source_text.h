// The text that a teacher translates: one line for each pair of the training data, then further text.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "data/corpus_files.h"

namespace heed {

// Files that line N belongs together in. A line without a reference has an empty one.
struct TextAndReference {
  std::filesystem::path source, reference;
};

struct SourceParts {
  std::vector<CorpusFiles> corpora{};            // of data.train, one source each
  std::vector<std::filesystem::path> sources{};  // further source text
  // Further target text with its translation by a reverse model, source first.
  std::vector<std::pair<std::filesystem::path, std::filesystem::path>> translated_back{};
};

// Writes both files, all or nothing. Leaves out lines without source text, and warns. Returns the
// number of lines. Throws Error(kData) if sides have unequal numbers of lines, or nothing is left.
int64_t write_source_text(const SourceParts& parts, const TextAndReference& files);

// Writes the source and target lines of a test set as plain text. Throws what read_sides() throws.
void write_test_set(const CorpusFiles& set, const TextAndReference& files);

}  // namespace heed
