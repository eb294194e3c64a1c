#include "document/paragraphs.h"

#include <algorithm>

#include "base/sentences.h"
#include "base/utf8.h"
#include "document/lines.h"

namespace heed {

namespace {

constexpr size_t kNarrowest = 40, kWidest = 100;  // columns of wrapped text

using Lines = std::vector<ContentLine>;

std::string_view indentation_of(std::string_view line) {
  return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

std::string_view words_of(const ContentLine& line) {
  return line.text.substr(indentation_of(line.text).size());
}

// True if the first word of `next` had no room on the line.
bool is_wrapped(const ContentLine& line, const ContentLine& next, size_t width) {
  const std::string_view words = words_of(next);
  const std::string_view first = words.substr(0, std::min(words.find(' '), words.size()));
  return display_width(line.text) + 1 + display_width(first) > width;
}

// Text of lines that were wrapped.
void add_text(const Lines& lines, size_t width, DocumentBuilder& document) {
  std::string bytes;
  std::vector<std::string_view> parts;
  for (const ContentLine& line : lines) {
    bytes += line.bytes();
    parts.push_back(line.text);
  }
  const std::string inner(without_outer_space(bytes));
  const size_t begin = bytes.find(inner);
  document.keep(std::string_view(bytes).substr(0, begin));
  const std::string rest(indentation_of(lines.back().text)), end(lines.front().end);
  // The first line may be indented otherwise than the rest: wrapped by the deeper of them.
  const size_t taken = std::max(begin, rest.size());
  const size_t room = lines.size() > 1 && width > taken ? width - taken : 0;
  document.add(inner, join_lines(parts), [rest, end, room](const std::string& translation) {
    if (room == 0) return translation;
    std::string text;
    for (const std::string& line : wrap(split_words(translation), room))
      text += (text.empty() ? "" : end + rest) + line;
    return text;
  });
  document.keep(std::string_view(bytes).substr(begin + inner.size()));
}

// Columns of wrapped text; 0: no text is wrapped.
size_t wrapped_width(const Lines& lines) {
  size_t widest = 0;
  for (const ContentLine& line : lines)
    if (const size_t width = display_width(line.text); width <= kWidest)
      widest = std::max(widest, width);
  return widest < kNarrowest ? 0 : widest;
}

void add_paragraph(const Lines& lines, size_t width, DocumentBuilder& document) {
  Lines text;
  for (size_t i = 0; i < lines.size(); ++i) {
    text.push_back(lines[i]);
    const bool goes_on = i + 1 < lines.size() && width > 0 &&
                         display_width(lines[i].text) <= width &&
                         is_wrapped(lines[i], lines[i + 1], width);
    if (goes_on) continue;
    add_text(text, width, document);
    text.clear();
  }
}

}  // namespace

Document read_paragraphs(const std::string& content, const std::filesystem::path&) {
  DocumentBuilder document;
  const Lines lines = lines_of(content);
  const size_t width = wrapped_width(lines);
  Lines paragraph;
  const auto end_paragraph = [&] {
    add_paragraph(paragraph, width, document);
    paragraph.clear();
  };
  for (const ContentLine& line : lines) {
    if (!line.is_blank()) {
      paragraph.push_back(line);
      continue;
    }
    end_paragraph();
    document.keep(line.bytes());
  }
  end_paragraph();
  return document.finish();
}

}  // namespace heed
