// Files of sentence pairs: two texts, a table, JSON lines or a translation memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/file.h"

namespace heed {

enum class PairForm { kText, kTsv, kJsonLines, kTmx };

struct SideNames {
  std::string source, target;
};

class PairWriter {
 public:
  virtual ~PairWriter() = default;
  // Writes a pair of UTF-8 texts without line feeds. Characters that the form cannot hold become
  // spaces; returns true if there were any: tabs in a table, control characters in XML, and a CR that
  // would be read as part of a line end.
  virtual bool write(std::string source, std::string target) = 0;
  // All files appear together.
  virtual void commit() = 0;
};

// paths: two for kText, else one. names: keys of JSON lines, languages of a translation memory.
std::unique_ptr<PairWriter> make_pair_writer(PairForm form, const std::vector<std::string>& paths,
                                             const SideNames& names);

}  // namespace heed
