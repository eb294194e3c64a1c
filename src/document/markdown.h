// Markdown of CommonMark, with tables, task lists and ~~strikethrough~~ as GitHub has them.
#pragma once

#include "document/document.h"

namespace heed {

// Paragraphs, headings, items and cells are texts. In them **bold**, links and other spans are tags;
// code, images and addresses are empty tags, which stay as they are. Code blocks, HTML blocks and front
// matter stay. Wrapped lines are wrapped again. A warning names paragraphs whose bytes the parser does
// not give; they stay as they are.
Document read_markdown(const std::string& content, const std::filesystem::path& file);

}  // namespace heed
