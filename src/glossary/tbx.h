// Entries of a TBX file (ISO 30042).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/file.h"

namespace heed {

// Terms of an entry by language, as the file names it ("en-US").
using TbxEntry = std::map<std::string, std::vector<std::string>>;
struct TbxFile {
  std::vector<std::string> languages;  // in their order
  std::vector<TbxEntry> entries;
};

// Reads <termEntry> or <conceptEntry> with <langSet> or <langSec>, and their <term>. Throws Error(kIo),
// and Error(kData) with the line of a fault.
TbxFile read_tbx(const fs::path& file);

}  // namespace heed
