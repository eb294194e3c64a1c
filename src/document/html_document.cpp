#include "document/html_document.h"

#include <algorithm>
#include <map>
#include <memory>

#include "base/replace_all.h"
#include "base/sentences.h"
#include "base/unicode/unicode.h"
#include "base/utf8.h"
#include "document/lines.h"
#include "markup/markup_tokens.h"

namespace heed {

namespace {

using Kind = MarkupToken::Kind;
using Tokens = std::vector<MarkupToken>;

bool separates(const MarkupToken& token) { return is_tag(token) && is_block_element(token.name); }

// True for a block whose content is not translated.
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

// A text inside of a tag or of a drawing.
struct InnerText {
  std::string_view raw;
  std::function<std::string(const std::string&)> write;
};

// Bytes that stay together in their paragraph: a token, or a drawing with all of its tokens.
struct Piece {
  std::string_view raw;
  std::vector<InnerText> texts{};
  bool has_words = false;
  bool is_tag = false;
  bool is_drawing = false;
};

// True if the paragraph shows other bytes than those of the piece, or if these have texts.
bool is_replaced(const Piece& piece) {
  return piece.is_drawing || !piece.texts.empty() ||
         (piece.is_tag && without_line_breaks(piece.raw) != piece.raw);
}

bool is_one_of(std::string_view name, const std::vector<std::string_view>& names) {
  return std::ranges::count(names, name) > 0;
}

std::string_view value_of(const std::vector<MarkupAttribute>& attributes, std::string_view name) {
  const auto found = std::ranges::find(attributes, name, &MarkupAttribute::name);
  return found == attributes.end() ? std::string_view() : found->value;
}

// The attributes with text for people, by
// https://html.spec.whatwg.org/multipage/dom.html#the-translate-attribute, and those of WAI-ARIA.
bool is_for_people(const std::string& element, const std::string& attribute,
                   const std::vector<MarkupAttribute>& all) {
  if (attribute == "title") return !is_one_of(element, {"link", "style"});
  if (is_one_of(attribute, {"aria-label", "aria-description", "aria-placeholder",
                            "aria-roledescription", "aria-valuetext"}))
    return true;
  if (attribute == "alt") return is_one_of(element, {"img", "area", "input"});
  if (attribute == "placeholder") return is_one_of(element, {"input", "textarea"});
  if (attribute == "label") return is_one_of(element, {"optgroup", "option", "track"});
  if (attribute == "abbr") return element == "th";
  if (attribute == "value")
    return element == "input" &&
           is_one_of(lower_case(value_of(all, "type")), {"button", "reset", "submit"});
  return attribute == "content" && element == "meta" &&
         lower_case(value_of(all, "name")) == "description";
}

// Letters in the text, which are none in tags and references.
bool has_letters(std::string_view raw) {
  const auto is_letter = [](std::string_view character) {
    size_t offset = 0;
    const auto point = next_code_point(character, offset);
    return point && is_of_kind(*point, CharacterKind::kLetter);
  };
  return std::ranges::any_of(read_markup(raw, MarkupFormat::kHtml), [&](const MarkupToken& token) {
    return token.kind == Kind::kText && std::ranges::any_of(code_points(token.raw), is_letter);
  });
}

// A value in the quotes of its tag, or with quotes if it had none.
std::string quoted(std::string value, char quote) {
  if (quote == '\'') return replace_all(value, "'", "&#39;");
  value = replace_all(value, "\"", "&quot;");
  return quote == '"' ? value : "\"" + value + "\"";
}

// The lines of a value in which line breaks have a meaning
// (https://html.spec.whatwg.org/multipage/dom.html#attr-title, and the hint of a textarea); else all of
// it.
std::vector<std::string_view> lines_of_value(const std::string& element,
                                             const MarkupAttribute& attribute) {
  const bool has_lines =
      attribute.name == "title" || (attribute.name == "placeholder" && element == "textarea");
  if (!has_lines) return {attribute.value};
  std::vector<std::string_view> lines;
  for (size_t begin = 0; begin < attribute.value.size();) {
    const size_t end =
        std::min(attribute.value.find_first_of("\r\n", begin), attribute.value.size());
    lines.push_back(without_outer_space(attribute.value.substr(begin, end - begin)));
    begin = end + 1;
  }
  return lines;
}

void add_attributes(const MarkupToken& tag, std::vector<InnerText>& texts) {
  if (tag.kind == Kind::kClose) return;
  const std::vector<MarkupAttribute> attributes = attributes_of(tag.raw);
  if (value_of(attributes, "translate") == "no" || keeps_text(tag, MarkupFormat::kHtml)) return;
  for (const MarkupAttribute& attribute : attributes) {
    if (!is_for_people(tag.name, attribute.name, attributes) || attribute.value.empty()) continue;
    const char before = *(attribute.value.data() - 1);
    const char quote = before == '"' || before == '\'' ? before : 0;
    for (const std::string_view line : lines_of_value(tag.name, attribute)) {
      if (!has_letters(line)) continue;
      texts.push_back(
          {line, [quote](const std::string& translation) { return quoted(translation, quote); }});
    }
  }
}

std::string_view joined(std::string_view first, std::string_view last) {
  return {first.data(), static_cast<size_t>(last.data() + last.size() - first.data())};
}

std::string as_it_is(const std::string& translation) { return translation; }

// For each start tag the number of the token behind its element; 0: it has no end.
std::vector<size_t> ends_of_elements(const Tokens& tokens) {
  std::vector<size_t> ends(tokens.size());
  std::map<std::string_view, std::vector<size_t>> open;
  for (size_t i = 0; i < tokens.size(); ++i) {
    std::vector<size_t>& own = open[tokens[i].name];
    if (tokens[i].kind == Kind::kOpen) own.push_back(i);
    if (tokens[i].kind != Kind::kClose || own.empty()) continue;
    ends[own.back()] = i + 1;
    own.pop_back();
  }
  return ends;
}

bool is_drawing(const MarkupToken& token) {
  return token.kind == Kind::kOpen && (token.name == "svg" || token.name == "math");
}

// SVG or MathML that begins with this token: its text is that of titles, descriptions and labels. ends: of
// all elements.
Piece drawing_of(const Tokens& tokens, const std::vector<size_t>& ends, size_t begin) {
  const size_t end = ends[begin];
  Piece piece{.raw = joined(tokens[begin].raw, tokens[end - 1].raw), .is_drawing = true};
  if (keeps_text(tokens[begin], MarkupFormat::kHtml)) return piece;
  for (size_t i = begin; i < end; ++i) {
    const MarkupToken& token = tokens[i];
    if (!is_tag(token)) continue;
    const size_t behind = std::min(ends[i], end);
    if (behind > 0 && i > begin && keeps_text(token, MarkupFormat::kHtml)) {
      i = behind - 1;
      continue;
    }
    add_attributes(token, piece.texts);
    if (behind < i + 3 || !is_one_of(token.name, {"title", "desc", "text"})) continue;
    const std::string_view inner =
        without_outer_space(joined(tokens[i + 1].raw, tokens[behind - 2].raw));
    if (has_letters(inner)) piece.texts.push_back({inner, as_it_is});
    i = behind - 1;
  }
  return piece;
}

// The bytes of a piece with translations of its texts; "" for one that stays.
std::string bytes_of(const Piece& piece, const std::vector<std::string>& translations) {
  std::string bytes;
  const char* done = piece.raw.data();
  for (size_t i = 0; i < piece.texts.size(); ++i) {
    const std::string_view raw = piece.texts[i].raw;
    bytes.append(done, raw.data());
    bytes += translations[i].empty() ? std::string(raw) : piece.texts[i].write(translations[i]);
    done = raw.data() + raw.size();
  }
  return bytes.append(done, piece.raw.data() + piece.raw.size());
}

void add_piece(const Piece& piece, DocumentBuilder& document) {
  const char* done = piece.raw.data();
  for (const InnerText& text : piece.texts) {
    document.keep({done, static_cast<size_t>(text.raw.data() - done)});
    document.add(std::string(text.raw), without_line_breaks(text.raw), text.write);
    done = text.raw.data() + text.raw.size();
  }
  document.keep({done, static_cast<size_t>(piece.raw.data() + piece.raw.size() - done)});
}

// A paragraph whose tags have texts, which come before it in the document and are put into its
// translation. Owns its bytes, since the document outlives the content.
class Paragraph {
 public:
  Paragraph(const std::vector<Piece>& pieces, std::string_view inner) : bytes_(inner) {
    for (Piece piece : pieces) {
      // White space at the ends of the paragraph is not part of it.
      const char* begin = std::max(piece.raw.data(), inner.data());
      const char* end = std::min(piece.raw.data() + piece.raw.size(), inner.data() + inner.size());
      if (begin >= end) continue;
      piece.raw = moved({begin, static_cast<size_t>(end - begin)}, inner);
      for (InnerText& text : piece.texts) text.raw = moved(text.raw, inner);
      translations_.emplace_back(piece.texts.size());
      pieces_.push_back(std::move(piece));
    }
    for (size_t i = 0; i < pieces_.size(); ++i) {
      shown_.push_back(pieces_[i].is_drawing ? "<svg id=\"" + std::to_string(i) + "\"/>"
                                             : std::string(pieces_[i].raw));
      text_ += shown_.back();
    }
    text_ = without_line_breaks(text_);
  }

  const std::string& bytes() const { return bytes_; }
  const std::string& text() const { return text_; }
  const std::vector<Piece>& pieces() const { return pieces_; }
  void set(size_t piece, size_t text, const std::string& translation) {
    translations_[piece][text] = translation;
  }

  std::string write(const std::string& translation) {
    std::string bytes;
    if (translation == text_) {
      for (size_t i = 0; i < pieces_.size(); ++i)
        bytes += heed::bytes_of(pieces_[i], translations_[i]);
    } else {
      std::map<std::string, std::string, std::less<>> changed;
      for (size_t i = 0; i < pieces_.size(); ++i)
        if (is_replaced(pieces_[i]))
          changed[without_line_breaks(shown_[i])] = heed::bytes_of(pieces_[i], translations_[i]);
      for (const MarkupToken& token : read_markup(translation, MarkupFormat::kHtml)) {
        const auto found = changed.find(token.raw);
        bytes += found == changed.end() ? std::string(token.raw) : found->second;
      }
    }
    for (auto& texts : translations_) texts.assign(texts.size(), "");
    return bytes;
  }

 private:
  // The same bytes in bytes_.
  std::string_view moved(std::string_view bytes, std::string_view inner) const {
    return std::string_view(bytes_).substr(static_cast<size_t>(bytes.data() - inner.data()),
                                           bytes.size());
  }

  const std::string bytes_;
  std::string text_;
  std::vector<Piece> pieces_;
  std::vector<std::string> shown_;                      // in the text, by piece
  std::vector<std::vector<std::string>> translations_;  // of the texts of each piece; "": none
};

// The inline content between two block elements.
void add_inline(const std::vector<Piece>& pieces, DocumentBuilder& document) {
  if (std::ranges::none_of(pieces, &Piece::has_words)) {
    for (const Piece& piece : pieces) add_piece(piece, document);
    return;
  }
  const std::string_view all = joined(pieces.front().raw, pieces.back().raw),
                         inner = without_outer_space(all);
  document.keep({all.data(), static_cast<size_t>(inner.data() - all.data())});
  const auto paragraph = std::make_shared<Paragraph>(pieces, inner);
  bool has_texts = false;
  for (size_t i = 0; i < paragraph->pieces().size(); ++i) {
    const Piece& piece = paragraph->pieces()[i];
    has_texts |= is_replaced(piece);
    for (size_t k = 0; k < piece.texts.size(); ++k)
      document.add("", without_line_breaks(piece.texts[k].raw),
                   [paragraph, i, k](const std::string& translation) {
                     paragraph->set(i, k, translation);
                     return std::string();
                   });
  }
  if (has_texts)
    document.add_whole(
        paragraph->bytes(), paragraph->text(),
        [paragraph](const std::string& translation) { return paragraph->write(translation); });
  else
    document.add(paragraph->bytes(), paragraph->text(), as_it_is);
  document.keep({inner.data() + inner.size(),
                 static_cast<size_t>(all.data() + all.size() - inner.data() - inner.size())});
}

Piece piece_of(const MarkupToken& token) {
  Piece piece{.raw = token.raw, .has_words = has_words(token), .is_tag = is_tag(token)};
  if (piece.is_tag) add_attributes(token, piece.texts);
  return piece;
}

}  // namespace

Document read_html(const std::string& content, const std::filesystem::path&) {
  DocumentBuilder document;
  std::vector<Piece> pieces;  // of the inline content
  const auto end_inline = [&] {
    add_inline(pieces, document);
    pieces.clear();
  };
  const Tokens tokens = read_markup(content, MarkupFormat::kHtml);
  const std::vector<size_t> ends = ends_of_elements(tokens);
  for (size_t i = 0; i < tokens.size(); ++i) {
    const MarkupToken& token = tokens[i];
    const bool is_block = separates(token);
    if (is_block) end_inline();
    if (is_block && stays(token)) {
      const size_t end = ends[i] > 0 ? ends[i] : tokens.size();
      document.keep(joined(token.raw, tokens[end - 1].raw));
      i = end - 1;
    } else if (is_block) {
      add_piece(piece_of(token), document);
    } else if (is_drawing(token) && ends[i] > 0) {
      pieces.push_back(drawing_of(tokens, ends, i));
      i = ends[i] - 1;
    } else if (ends[i] > 0 && keeps_text(token, MarkupFormat::kHtml)) {
      // Blocks inside would end the paragraph, so all of it stays.
      const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(i),
                 last = tokens.begin() + static_cast<std::ptrdiff_t>(ends[i]);
      const bool has_blocks = std::any_of(first, last, separates);
      if (has_blocks) {
        end_inline();
        document.keep(joined(token.raw, tokens[ends[i] - 1].raw));
      } else {
        std::for_each(first, last, [&](const MarkupToken& one) {
          pieces.push_back({.raw = one.raw, .has_words = has_words(one)});
        });
      }
      i = ends[i] - 1;
    } else {
      pieces.push_back(piece_of(token));
    }
  }
  end_inline();
  return document.finish(MarkupFormat::kHtml);
}

}  // namespace heed
