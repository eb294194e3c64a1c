// A corpus as a command line names it: two files of sentences, or one file with a table or with JSON
// lines, whose two sides are columns or keys.
#pragma once

#include <optional>
#include <string>

#include "data/text_view.h"

namespace heed {

struct CorpusOptions {
  std::optional<std::string> file;            // a table or JSON lines
  std::optional<std::string> source, target;  // files; of a table or JSON lines columns or keys
};

struct ChosenCorpus {
  TextFile source, target;
  bool is_table() const { return source.view.form != TextView::Form::kLines; }
};

// The first line of a file shows its form. Where a table has only two columns or keys, they need no
// names, and the log says which is which. command: `heed config new`, for advice.
// Throws Error(kUsage) that lists columns or keys where two have to be named, Error(kData) that says how
// to convert a file of another form, Error(kIo).
ChosenCorpus choose_corpus(const CorpusOptions& options, const std::string& command);

}  // namespace heed
