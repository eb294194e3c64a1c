// Pages of HTML.
#pragma once

#include "document/document.h"

namespace heed {

// The content between the tags of block elements is a text, with the inline tags in it. Line breaks
// are spaces. Attributes with text for people, such as alt and title, are texts of their own, before the text that has
// their tag; each line of a title is one. Scripts, styles, code in <pre>, comments and block
// elements whose text is kept (keeps_text()) stay, and so do SVG and MathML apart from titles,
// descriptions and labels in them.
Document read_html(const std::string& content, const std::filesystem::path& file);

}  // namespace heed
