// Where translations are written: to files, to a list, or to the files of a shard (shard_outputs.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/same_file.h"
#include "cli/options.h"

namespace heed {

class TranslationOutputs {
 public:
  virtual ~TranslationOutputs() = default;
  // What is written of the next source line, to each of the files.
  virtual void write(const std::vector<std::string>& texts) = 0;
  virtual void flush() {}  // what was written can be read now
  virtual void commit() = 0;
};

// The files that the options name: the translations, attention weights, word alignments.
std::vector<NamedFile> output_files(const TranslateOptions& options);

// Files that appear together, when all is done.
std::unique_ptr<TranslationOutputs> files_at_the_end(const std::vector<NamedFile>& files);
// The first text of each line, without its line feed, is appended to the list.
std::unique_ptr<TranslationOutputs> list_of_lines(std::vector<std::string>& lines);

}  // namespace heed
