// Two sources with equally many entries in each line, such as the keys and the values of a memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/vocabulary.h"

namespace heed {

struct EntrySource {
  std::string name;
  size_t number = 0;                // of the source
  std::optional<int32_t> marker{};  // the entries are the sentences that it separates; none: tokens
};

struct SourceEntries {
  EntrySource keys, values;
};

// Throws Error(kData) for the sources of a line that differ in the number of entries. place: of the
// line, in messages.
void check_entries(const std::vector<SourceEntries>& entries, const std::vector<Ids>& sources,
                   const std::string& place);

}  // namespace heed
