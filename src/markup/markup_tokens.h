// Tags and text of a line with markup.
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

// Every byte of the line is in one token. A "<" or "&" that begins no markup is text. A tag without its
// end is text with all that follows; a comment without its end goes on to the end of the line.
std::vector<MarkupToken> read_markup(std::string_view line, MarkupFormat format);

struct MarkupAttribute {
  std::string name;  // in lower case
  std::string_view value;
};
// Attributes of a tag, without quotes.
std::vector<MarkupAttribute> attributes_of(std::string_view tag);

// True for an element of HTML that begins a new sentence: <p>, <li>, <br> and others.
bool is_block_element(std::string_view name);

}  // namespace heed
