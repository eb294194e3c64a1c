// Files of terms: tables with tabs, and TBX (ISO 30042).
#pragma once

#include <string>
#include <vector>

#include "base/file.h"
#include "translate/glossary.h"

namespace heed {

// The languages of a model, "" for one that is not known.
struct GlossaryLanguages {
  std::string source, target;
};

// Reads a file by its beginning: TBX if it begins with "<", else a table.
//
// A table has a term a line: source, tab, target. Either may list forms with "|" between them: any
// target meets any source. Lines that are empty or begin with "#" are left out, and so is a first line
// that names the columns or two languages, with a note. Further columns are not read, with a warning.
//
// Of TBX the terms of each entry in the two languages are read; of a file with two languages also if
// those of the model are not known, the first one being the source.
//
// Throws Error: kIo for a file that cannot be read, kData for one that has no terms or a fault.
std::vector<GlossaryTerm> read_glossary(const fs::path& file, const GlossaryLanguages& languages);

}  // namespace heed
