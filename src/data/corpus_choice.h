// A corpus as a command line names it: two files of sentences, or one file, a table, JSON lines or a
// translation memory, with source and target as columns, keys or languages.
#pragma once

#include <optional>
#include <string>

#include "data/text_view.h"

namespace heed {

struct CorpusOptions {
  std::optional<std::string> file;            // a table, JSON lines or TMX
  std::optional<std::string> source, target;  // files, or columns, keys or languages of `file`
};

struct ChosenCorpus {
  TextFile source, target;
  bool is_table() const { return source.view.form != TextView::Form::kLines; }
};

// Short name of a side: the extension of its file, its column, key or language; "": it has none.
std::string side_name(const TextFile& side);

// Chooses the corpus; the first line of a file shows its form. A table with only two columns or
// keys needs no names for them: the log shows the choice. command: `heed config new`,
// for advice. Throws Error(kUsage) that lists columns or keys if it needs two names, Error(kData)
// that says how to convert a file of another form, and Error(kIo).
ChosenCorpus choose_corpus(const CorpusOptions& options, const std::string& command);

}  // namespace heed
