// Reads the files of lexical constraints of `heed translate`: --prefix, --constraints, --avoid.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/same_file.h"
#include "cli/options.h"
#include "cli/translate/options.h"
#include "translate/batch_translator.h"
#include "translate/shards/line_file.h"

namespace heed {

class ConstraintReader {
 public:
  // Throws Error(kIo) for a file that cannot be read.
  explicit ConstraintReader(const ConstraintFiles& files);
  bool has_files() const { return !files_.empty(); }
  // The constraints of the next source line: a prefix, phrases with tabs between them. Throws
  // Error(kData) for a file that has no more lines.
  LexicalConstraints next();
  // Throws Error(kData) for a file with more lines than were read.
  void expect_end();
  std::vector<LineFile> files() const;

 private:
  struct File {
    std::string option, path;
    std::unique_ptr<LineReader> reader;
    void (*take)(std::string line, LexicalConstraints& constraints);
  };
  void open(const char* option, const std::optional<std::string>& path,
            void (*take)(std::string line, LexicalConstraints& constraints));

  std::vector<File> files_;
};

// The files that are given, with their options.
std::vector<NamedFile> named_files(const ConstraintFiles& files);

}  // namespace heed
