// Tags and text of a line with markup. Own code: every byte has to be kept, and it also runs in the module
// for browsers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

enum class MarkupFormat {
  kNone,  // text without markup
  kHtml,  // read as leniently as a browser does
  kXml,
};

struct MarkupToken {
  enum class Kind {
    kText,
    kReference,  // "&amp;"
    kOpen,       // "<b>"
    kClose,      // "</b>"
    kEmpty,      // "<br>", "<x/>"
    kVerbatim,   // comment, CDATA, processing instruction, doctype; with its text script or style
  };
  Kind kind;
  std::string_view raw;
  std::string name{};  // of the element; HTML: in lower case
};

bool is_tag(const MarkupToken& token);

// The format of a name, "html" or "xml"; kNone: there is none.
MarkupFormat markup_format_of(std::string_view name);

// Every byte of the line is in one token. A "<" or "&" that begins no markup is text. A tag without its
// end is text with all that follows; a comment without its end goes on to the end of the line.
std::vector<MarkupToken> read_markup(std::string_view line, MarkupFormat format);

struct MarkupAttribute {
  std::string name;  // in lower case
  std::string_view value;
};
// Attributes of a tag, without quotes.
std::vector<MarkupAttribute> attributes_of(std::string_view tag);

// True for the start tag of an element whose text is kept: translate="no", in HTML class="notranslate".
bool keeps_text(const MarkupToken& token, MarkupFormat format);

// True for an element of HTML that begins a new sentence: <p>, <li>, <br> and others.
bool is_block_element(std::string_view name);

}  // namespace heed
