// Pages of HTML.
#pragma once

#include "document/document.h"

namespace heed {

// The content between the tags of block elements is a text, with the inline tags in it. Line breaks
// are spaces. Scripts, styles, code in <pre>, comments and block
// elements whose text is kept (keeps_text()) stay.
Document read_html(const std::string& content, const std::filesystem::path& file);

}  // namespace heed
