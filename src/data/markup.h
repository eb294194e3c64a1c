// Detects text files that do not consist of lines of sentences: XML, TMX and a single JSON
// document.
#pragma once

#include <string>

#include "base/file.h"
#include "data/text_view.h"

namespace heed {

// Throws Error(kData) if the first line shows such a format; the message has the command that
// converts the file to lines. reader: reads the lines after it.
void refuse_markup(const TextFile& file, const std::string& first_line, LineReader& reader);

}  // namespace heed
