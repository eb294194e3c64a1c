// The files that a run reads, found once from its config.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "data/corpus_files.h"
#include "run/run_config.h"

namespace heed {

struct RunFiles {
  std::vector<std::vector<CorpusFiles>> phases{};  // training corpora of each phase; never empty
  std::vector<CorpusFiles> valid{};                // in the order of data.valid
  std::vector<std::pair<std::string, CorpusFiles>> tests{};  // by name
  std::vector<std::filesystem::path> text{};  // vocabularies and tokenizer models of `text`

  // The corpora of the first phase as data.train lists them, then those of later phases that are
  // new.
  std::vector<CorpusFiles> training() const;
  // The same without edges and alignments, for code that reads only the text.
  std::vector<CorpusFiles> training_texts() const;
};

// Throws Error(kUsage) if a file is missing or parallel files do not match.
RunFiles find_run_files(const RunConfig& config);

}  // namespace heed
