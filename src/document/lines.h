// Lines of a document, which together are its bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "document/document.h"

namespace heed {

struct ContentLine {
  std::string_view text;  // without its end
  std::string_view end;   // "\n", "\r\n" or, of the last line, ""
  bool is_blank() const;
  std::string bytes() const { return std::string(text) + std::string(end); }
};

// Views into the content.
std::vector<ContentLine> lines_of(std::string_view content);

// Joins the parts of a text to one line: with a space, but without one between characters of scripts
// that have no spaces between words.
std::string join_lines(const std::vector<std::string_view>& parts);

// Lines of at most `width` columns, if the words allow.
std::vector<std::string> wrap(const std::vector<std::string>& words, size_t width);

// Characters of a text without its tags.
size_t visible_size(std::string_view text);

// Exactly so many parts of a text, divided between words, whose lengths have about these shares.
// Parts behind the last word are empty.
std::vector<std::string> divide(const std::string& text, const std::vector<size_t>& shares);

// Collects a document from its bytes, in their order.
class DocumentBuilder {
 public:
  void keep(std::string_view bytes) { kept_ += bytes; }
  void add(std::string original, std::string text,
           std::function<std::string(const std::string&)> write);
  // A text with DocumentText::is_always_written.
  void add_whole(std::string original, std::string text,
                 std::function<std::string(const std::string&)> write);
  Document finish(MarkupFormat markup = MarkupFormat::kNone);

 private:
  std::vector<DocumentText> texts_;
  std::string kept_;
};

}  // namespace heed
