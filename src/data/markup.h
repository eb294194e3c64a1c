// Texts that are no lines of sentences: XML, TMX and one JSON document.
#pragma once

#include <string>

#include "base/file.h"
#include "data/text_view.h"

namespace heed {

// Throws Error(kData), with the command that makes lines of the file, if its first line shows such a
// text. reader: of the lines behind it.
void refuse_markup(const TextFile& file, const std::string& first_line, LineReader& reader);

}  // namespace heed
