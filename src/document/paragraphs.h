// Plain text with paragraphs.
#pragma once

#include "document/document.h"

namespace heed {

// Wrapped lines are one text, and its translation is wrapped at the same width. A line break counts as
// wrapped if the first word of the next line had no room. The room is that of the widest line of the
// document, of at least 40 and at most 100 columns. Each other line is a text of its own.
// Indentation stays.
Document read_paragraphs(const std::string& content, const std::filesystem::path& file);

}  // namespace heed
