// Character references of HTML and XML: "&amp;", "&#233;", "&#xE9;".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "markup/markup_tokens.h"

namespace heed {

// The character of a reference; nullopt if there is none, or one that text of a line cannot have, such
// as a line feed. Names are the five of XML, and for HTML those of HTML 4.
std::optional<std::string> decoded_reference(std::string_view reference, MarkupFormat format);

// The text of a line without its tags, for programs that look at it alone.
std::string visible_text(std::string_view line, MarkupFormat format);

// Text with "&amp;", "&lt;" and, if `greater`, "&gt;" in place of these characters.
std::string encoded_text(std::string_view text, bool greater);

}  // namespace heed
