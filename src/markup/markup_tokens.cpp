#include "markup/markup_tokens.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"

namespace heed {

namespace {

using TokenKind = MarkupToken::Kind;
constexpr size_t kNone = std::string_view::npos;

// https://html.spec.whatwg.org/multipage/syntax.html#void-elements
constexpr std::array<std::string_view, 14> kVoidElements = {
    "area",  "base", "br",   "col",  "embed", "frame", "hr",
    "input", "img",  "link", "meta", "param", "track", "wbr"};

// Elements that CSS does not lay out inside a line (https://html.spec.whatwg.org/multipage/rendering.html),
// and <br>.
constexpr std::array<std::string_view, 65> kBlockElements = {
    "address", "article",  "aside",    "base",     "blockquote", "body",       "br",
    "caption", "center",   "col",      "colgroup", "dd",         "details",    "dialog",
    "dir",     "div",      "dl",       "dt",       "fieldset",   "figcaption", "figure",
    "footer",  "form",     "frame",    "frameset", "h1",         "h2",         "h3",
    "h4",      "h5",       "h6",       "head",     "header",     "hgroup",     "hr",
    "html",    "legend",   "li",       "link",     "main",       "menu",       "meta",
    "nav",     "noframes", "noscript", "ol",       "optgroup",   "option",     "p",
    "pre",     "search",   "section",  "select",   "summary",    "table",      "tbody",
    "td",      "template", "textarea", "tfoot",    "th",         "thead",      "title",
    "tr",      "ul"};

constexpr std::array<std::string_view, 2> kRawElements = {"script", "style"};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }
bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool begins_name(char c, MarkupFormat format) {
  if (is_ascii_letter(c)) return true;
  return format == MarkupFormat::kXml &&
         (c == '_' || c == ':' || static_cast<unsigned char>(c) >= 0x80);
}

size_t name_end(std::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size() && !is_space(text[end]) && text[end] != '/' && text[end] != '>') ++end;
  return end;
}

// The position behind the ">" of a tag whose name ends at `at`; npos: it has none. Quotes belong to
// values of attributes.
size_t tag_end(std::string_view text, size_t at) {
  bool is_value = false;  // true behind "="
  while (at < text.size()) {
    const char c = text[at];
    if (c == '>') return at + 1;
    if (is_value && (c == '"' || c == '\'')) {
      at = text.find(c, at + 1);
      if (at == kNone) return kNone;
    }
    is_value = c == '=' || (is_value && is_space(c));
    ++at;
  }
  return kNone;
}

std::string lowered(std::string_view name) {
  std::string result(name);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

class MarkupReader {
 public:
  MarkupReader(std::string_view line, MarkupFormat format) : line_(line), format_(format) {}

  std::vector<MarkupToken> read() {
    for (size_t at = 0; at < line_.size();) {
      const bool opens = line_[at] == '<' && !is_unfinished_;
      const size_t end = opens ? read_tag(at) : line_[at] == '&' ? read_reference(at) : kNone;
      if (end == kNone)
        ++at;
      else
        text_begin_ = at = end;
    }
    end_text(line_.size());
    return std::move(tokens_);
  }

 private:
  std::string_view rest(size_t at) const { return line_.substr(at); }

  void end_text(size_t end) {
    if (end > text_begin_)
      tokens_.push_back({TokenKind::kText, line_.substr(text_begin_, end - text_begin_)});
    text_begin_ = end;
  }
  size_t add(TokenKind kind, size_t begin, size_t end, std::string name = {}) {
    end_text(begin);
    tokens_.push_back({kind, line_.substr(begin, end - begin), std::move(name)});
    return end;
  }

  // These return the position behind what begins at `at`; npos: it is text.
  size_t read_reference(size_t at) {
    constexpr size_t kLongestReference = 64;
    const size_t end = rest(at).substr(0, kLongestReference).find(';');
    if (end == kNone) return kNone;
    const std::string_view name = line_.substr(at + 1, end - 1);
    const auto is_part = [](char c) {
      return is_ascii_letter(c) || (c >= '0' && c <= '9') || c == '#' || c == '.' || c == '-' ||
             c == '_' || static_cast<unsigned char>(c) >= 0x80;
    };
    if (name.empty() || !std::ranges::all_of(name, is_part)) return kNone;
    return add(TokenKind::kReference, at, at + end + 1);
  }

  size_t verbatim_up_to(size_t at, size_t from, std::string_view mark) {
    const size_t found = line_.find(mark, at + from);
    return add(TokenKind::kVerbatim, at, found == kNone ? line_.size() : found + mark.size());
  }

  size_t read_tag(size_t at) {
    const std::string_view text = rest(at);
    if (text.starts_with("<!--")) return verbatim_up_to(at, 4, "-->");
    if (text.starts_with("<![CDATA[")) return verbatim_up_to(at, 9, "]]>");
    if (text.starts_with("<?"))
      return verbatim_up_to(at, 2, format_ == MarkupFormat::kXml ? "?>" : ">");
    if (text.starts_with("<!")) return verbatim_up_to(at, 2, ">");
    const bool closes = text.starts_with("</");
    const size_t begin = at + (closes ? 2 : 1);
    if (begin >= line_.size() || !begins_name(line_[begin], format_)) return kNone;
    const size_t behind = name_end(line_, begin), end = tag_end(line_, behind);
    if (end == kNone) {
      is_unfinished_ = true;
      return kNone;
    }
    const bool is_html = format_ == MarkupFormat::kHtml;
    const std::string_view written = line_.substr(begin, behind - begin);
    std::string name = is_html ? lowered(written) : std::string(written);
    if (closes) return add(TokenKind::kClose, at, end, std::move(name));
    const bool is_empty =
        line_[end - 2] == '/' || (is_html && std::ranges::count(kVoidElements, name) > 0);
    if (is_empty) return add(TokenKind::kEmpty, at, end, std::move(name));
    if (is_html && std::ranges::count(kRawElements, name) > 0)
      return add(TokenKind::kVerbatim, at, raw_end(end, name));
    return add(TokenKind::kOpen, at, end, std::move(name));
  }

  // The position behind the element whose text begins at `at`: its end tag, or the end of the line.
  size_t raw_end(size_t at, const std::string& name) {
    if (lowered_.empty()) lowered_ = lowered(line_);
    for (size_t tag = at; (tag = lowered_.find("</" + name, tag)) != kNone; ++tag) {
      const size_t behind = tag + 2 + name.size(), end = line_.find('>', behind);
      if (end == kNone) break;
      if (line_[behind] == '>' || line_[behind] == '/' || is_space(line_[behind])) return end + 1;
    }
    return line_.size();
  }

  std::string_view line_;
  MarkupFormat format_;
  std::vector<MarkupToken> tokens_;
  size_t text_begin_ = 0;
  bool is_unfinished_ = false;  // a tag has no end: what follows it is text
  std::string lowered_;
};

}  // namespace

MarkupFormat markup_format_of(std::string_view name) {
  if (name == "html") return MarkupFormat::kHtml;
  return name == "xml" ? MarkupFormat::kXml : MarkupFormat::kNone;
}

std::vector<MarkupToken> read_markup(std::string_view line, MarkupFormat format) {
  if (format != MarkupFormat::kNone) return MarkupReader(line, format).read();
  if (line.empty()) return {};
  return {{TokenKind::kText, line}};
}

std::vector<MarkupAttribute> attributes_of(std::string_view tag) {
  std::vector<MarkupAttribute> found;
  const size_t size = tag.size() - (tag.ends_with('>') ? 1 : 0);
  size_t at = name_end(tag, 1);
  const auto skip_spaces = [&] {
    while (at < size && (is_space(tag[at]) || tag[at] == '/')) ++at;
  };
  for (skip_spaces(); at < size; skip_spaces()) {
    const size_t begin = at;
    while (at < size && !is_space(tag[at]) && tag[at] != '=' && tag[at] != '/') ++at;
    MarkupAttribute& own =
        found.emplace_back(MarkupAttribute{lowered(tag.substr(begin, at - begin)), {}});
    while (at < size && is_space(tag[at])) ++at;
    if (at == size || tag[at] != '=') continue;
    ++at;
    while (at < size && is_space(tag[at])) ++at;
    if (at == size) break;
    const bool is_quoted = tag[at] == '"' || tag[at] == '\'';
    const size_t value = at + (is_quoted ? 1 : 0);
    size_t end = value;
    while (end < size && (is_quoted ? tag[end] != tag[at] : !is_space(tag[end]))) ++end;
    own.value = tag.substr(value, end - value);
    at = std::min(size, end + (is_quoted ? 1 : 0));
  }
  return found;
}

bool is_tag(const MarkupToken& token) {
  return token.kind == TokenKind::kOpen || token.kind == TokenKind::kClose ||
         token.kind == TokenKind::kEmpty;
}

bool keeps_text(const MarkupToken& token, MarkupFormat format) {
  if (token.kind != TokenKind::kOpen) return false;
  for (const MarkupAttribute& attribute : attributes_of(token.raw)) {
    if ((attribute.name == "translate" || attribute.name == "its:translate") &&
        attribute.value == "no")
      return true;
    const bool is_class = attribute.name == "class" && format == MarkupFormat::kHtml;
    if (is_class && std::ranges::count(split_words(attribute.value), "notranslate") > 0)
      return true;
  }
  return false;
}

bool is_block_element(std::string_view name) {
  return std::ranges::count(kBlockElements, name) > 0;
}

}  // namespace heed
