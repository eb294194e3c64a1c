// The texts that `heed trim` reads, by the side of the model that they are of.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/trim/options.h"

namespace heed {

struct TrimText {
  std::string side;  // "": all sides
  std::string text;  // of data/column_reader.h
};

// sources: names of the model's. Throws Error(kUsage) for a source that it does not have, for a file
// without the name of one of several sources, and for a text that cannot be read twice; IoError.
std::vector<TrimText> trim_texts(const TrimTexts& texts, const std::vector<std::string>& sources);

// Calls `take` with each line. Malformed UTF-8 is read as U+FFFD, with a warning if `warns`. Throws
// IoError, Error(kData), and Stopped after a signal.
void read_trim_text(const TrimText& text, bool warns,
                    const std::function<void(std::string_view line)>& take);

}  // namespace heed
