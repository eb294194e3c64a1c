// Output of translations: to files, to a list, or to the files of a shard (shards/shard_outputs.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/same_file.h"

namespace heed {

class TranslationOutputs {
 public:
  virtual ~TranslationOutputs() = default;
  // Writes the output of the next source line, one text for each file.
  virtual void write(const std::vector<std::string>& texts) = 0;
  virtual void flush() {}  // makes the text written so far readable
  virtual void commit() = 0;
};

// Writes files that appear together at the end.
std::unique_ptr<TranslationOutputs> files_at_the_end(const std::vector<NamedFile>& files);
// Appends the first text of each line, without its line feed, to the list.
std::unique_ptr<TranslationOutputs> list_of_lines(std::vector<std::string>& lines);

}  // namespace heed
