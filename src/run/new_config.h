// `heed config new`: a commented config for your own corpus, with settings that suit its size.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/corpus_choice.h"

namespace heed {

struct NewConfigOptions {
  CorpusOptions corpus;
  std::optional<std::string> valid;  // of the form of corpus.file
  std::optional<std::string> valid_source, valid_target;
  std::vector<std::string> test;  // files of the form of corpus.file; else source, target and so on
  std::string output = "-";
};

// Looks at the data and writes the config. Throws Error(kData) if the files do not fit together,
// Error(kUsage) if the output exists already, and the errors of choose_corpus().
void write_new_config(const NewConfigOptions& options);

}  // namespace heed
