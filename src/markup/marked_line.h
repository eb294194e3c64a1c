// A line with markup as blocks of text and the tags inside them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "markup/markup_tokens.h"
#include "markup/protected_text.h"

namespace heed {

struct MarkupOptions {
  MarkupFormat format = MarkupFormat::kNone;
  ProtectedKinds protects{};
};

// White space around a tag.
struct OuterSpace {
  std::string before, behind;
};

// Part of a line that a translation has once, as it is written in the source, at the place of its text.
struct MarkupNode {
  enum class Kind {
    kElement,  // two tags and what is between them; one of the tags is "" if the block has only the other
    kPoint,  // no text: an empty element, a comment
    kKept,   // text that is not translated, with its tags
  };
  Kind kind;
  size_t begin, end;    // bytes of the text of the block
  std::string open;     // the tag; of the others all of it
  std::string close{};  // of an element
  OuterSpace open_space{}, close_space{};
  std::vector<MarkupNode> children{};
};

struct MarkedBlock {
  std::string text;  // for the model: without tags, references decoded, without space at both ends
  std::vector<MarkupNode> nodes{};
};

struct MarkedLine {
  std::vector<MarkedBlock> blocks{};  // each with visible text
  // Verbatim text before the first block, between two and behind the last.
  std::vector<std::string> between{""};
  std::vector<std::string> lone{};  // tags inside a block without the other one of their pair
  bool encodes = false;             // "&" and "<" in the translation become references
  bool encodes_greater = false;     // ">" too
};

// line: well-formed UTF-8. HTML: elements that begin a new line, such as <p> and <br>, are between
// blocks; attributes translate="no" and class="notranslate" keep the text of an element.
MarkedLine read_marked_line(std::string_view line, const MarkupOptions& options);

}  // namespace heed
