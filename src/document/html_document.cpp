#include "document/html_document.h"

#include <algorithm>

#include "base/sentences.h"
#include "document/lines.h"
#include "markup/markup_tokens.h"

namespace heed {

namespace {

using Kind = MarkupToken::Kind;
using Tokens = std::vector<MarkupToken>;

// True for an element whose content is not translated.
bool stays(const MarkupToken& token) {
  const bool is_code = token.kind == Kind::kOpen && token.name == "pre";
  return is_code || keeps_text(token, MarkupFormat::kHtml);
}

bool has_words(const MarkupToken& token) {
  return token.kind == Kind::kReference ||
         (token.kind == Kind::kText && !without_outer_space(token.raw).empty());
}

// Bytes with a space in place of each line break and the spaces around it.
std::string without_line_breaks(std::string_view bytes) {
  std::string line;
  bool breaks = false;
  size_t spaces = 0;
  for (const char c : bytes) {
    const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
    breaks |= c == '\n' || c == '\r';
    if (is_space) {
      ++spaces;
      line += c;
      continue;
    }
    if (breaks) line.replace(line.size() - spaces, spaces, " ");
    breaks = false;
    spaces = 0;
    line += c;
  }
  return line;
}

// The inline content between two block elements.
void add_inline(const Tokens& tokens, DocumentBuilder& document) {
  const auto first = std::ranges::find_if(tokens, has_words);
  if (first == tokens.end()) {
    for (const MarkupToken& token : tokens) document.keep(token.raw);
    return;
  }
  std::string all;
  for (const MarkupToken& token : tokens) all += token.raw;
  const std::string inner(without_outer_space(all));
  const size_t begin = all.find(inner);
  document.keep(all.substr(0, begin));
  document.add(inner, without_line_breaks(inner),
               [](const std::string& translation) { return translation; });
  document.keep(all.substr(begin + inner.size()));
}

}  // namespace

Document read_html(const std::string& content, const std::filesystem::path&) {
  DocumentBuilder document;
  Tokens inline_tokens;
  std::string kept;  // name of the element whose content stays; "": none
  size_t depth = 0;  // of elements of this name
  const auto end_inline = [&] {
    add_inline(inline_tokens, document);
    inline_tokens.clear();
  };
  for (const MarkupToken& token : read_markup(content, MarkupFormat::kHtml)) {
    if (!kept.empty()) {
      document.keep(token.raw);
      if (token.name == kept && token.kind == Kind::kOpen) ++depth;
      if (token.name == kept && token.kind == Kind::kClose && --depth == 0) kept.clear();
    } else if (is_tag(token) && is_block_element(token.name)) {
      end_inline();
      document.keep(token.raw);
      if (stays(token)) kept = token.name, depth = 1;
    } else {
      inline_tokens.push_back(token);
    }
  }
  end_inline();
  return document.finish(MarkupFormat::kHtml);
}

}  // namespace heed
