#include "document/subtitles.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/sentences.h"
#include "base/unicode/unicode.h"
#include "base/utf8.h"
#include "document/lines.h"

namespace heed {

namespace {

using Lines = std::vector<ContentLine>;

bool is_time(std::string_view line) { return line.find(" --> ") != std::string_view::npos; }

// Length of a dash and the spaces around it at the beginning of a line; 0: there is none.
size_t dash_size(std::string_view line) {
  const std::string_view words = without_outer_space(line);
  for (const std::string_view dash : {"-", "\u2013", "\u2014"}) {
    if (!words.starts_with(dash)) continue;
    const std::string_view rest = without_outer_space(words.substr(dash.size()));
    return rest.empty() ? 0 : static_cast<size_t>(rest.data() - line.data());
  }
  return 0;
}

// Lines of one subtitle that belong together, with the bytes between the part before and them.
struct Part {
  std::string between;
  Lines lines;
  bool is_spoken = false;  // a line of a dialogue, behind a dash
};

std::string bytes_of(const Lines& lines) {
  std::string bytes;
  for (const ContentLine& line : lines)
    bytes += &line == &lines.back() ? std::string(line.text) : line.bytes();
  return bytes;
}

std::string text_of(const Lines& lines) {
  std::vector<std::string_view> texts;
  for (const ContentLine& line : lines) texts.push_back(line.text);
  return join_lines(texts);
}

bool begins_in_lower_case(const std::string& text) {
  size_t offset = 0;
  const auto first = text.empty() ? std::nullopt : next_code_point(text, offset);
  return first && is_of_kind(*first, CharacterKind::kSmall);
}

bool ends_a_sentence(std::string_view text) {
  constexpr std::array<std::string_view, 9> kEnds = {".",      "!", "?", "\u2026", "\"",
                                                     "\u201d", ")", ":", "\u266a"};
  for (const std::string_view end : kEnds)
    if (text.ends_with(end)) return true;
  return false;
}

bool goes_on(const Part& part, const Part& next) {
  if (part.is_spoken || next.is_spoken) return false;
  return !ends_a_sentence(text_of(part.lines)) && begins_in_lower_case(text_of(next.lines));
}

void add_text(const std::vector<Part>& parts, DocumentBuilder& document) {
  std::string original, text;
  std::vector<size_t> shares;
  for (const Part& part : parts) {
    const std::string own = text_of(part.lines);
    if (&part != &parts.front()) original += part.between, text += " ";
    original += bytes_of(part.lines);
    text += own;
    shares.push_back(count_code_points(own));
  }
  document.keep(parts.front().between);
  // Copies, since the views into the content may not outlive it.
  struct Slot {
    std::string between, line_end;
    size_t lines;
  };
  std::vector<Slot> slots;
  for (const Part& part : parts)
    slots.push_back({part.between, std::string(part.lines.front().end), part.lines.size()});
  document.add(original, text, [slots, shares](const std::string& translation) {
    const std::vector<std::string> words = divide(translation, shares);
    std::string bytes;
    for (size_t i = 0; i < slots.size(); ++i) {
      if (i > 0) bytes += slots[i].between;
      std::string lines;
      for (const std::string& line : divide(words[i], std::vector<size_t>(slots[i].lines, 1)))
        if (!line.empty()) lines += (lines.empty() ? "" : slots[i].line_end) + line;
      bytes += lines;
    }
    return bytes;
  });
}

bool is_number(std::string_view line) {
  return !line.empty() && line.find_first_not_of("0123456789") == std::string_view::npos;
}

// True if line i begins a subtitle, perhaps without a blank line before it.
bool begins_subtitle(const Lines& lines, size_t i) {
  const bool has_number = is_number(lines[i].text) && i + 1 < lines.size();
  return is_time(lines[has_number ? i + 1 : i].text);
}

// Length of the position of a subtitle, {\\an8}, at the beginning of a line.
size_t position_size(std::string_view line) {
  const size_t end = line.starts_with("{\\") ? line.find('}') : std::string_view::npos;
  return end == std::string_view::npos ? 0 : end + 1;
}

// The parts of the document, and the bytes behind the last one.
std::vector<Part> parts_of(const Lines& lines, std::string& end) {
  std::vector<Part> parts;
  bool in_words = false, in_dialogue = false;
  for (size_t i = 0; i < lines.size(); ++i) {
    const ContentLine& line = lines[i];
    if (!in_words || line.is_blank() || begins_subtitle(lines, i)) {
      in_words = is_time(line.text);
      end += line.bytes();
      in_dialogue = in_words && i + 1 < lines.size() && dash_size(lines[i + 1].text) > 0;
      if (in_words) parts.push_back({});
      continue;
    }
    const bool begins = parts.back().lines.empty() || (in_dialogue && dash_size(line.text) > 0);
    if (!parts.back().lines.empty() && begins) parts.push_back({});
    size_t kept = begins ? position_size(line.text) : 0;
    if (begins) {
      const size_t dash = dash_size(line.text.substr(kept));
      parts.back().is_spoken = dash > 0;
      kept += dash;
      parts.back().between = end + std::string(line.text.substr(0, kept));
    }
    parts.back().lines.push_back({line.text.substr(kept), line.end});
    end = line.end;
  }
  std::erase_if(parts, [](const Part& part) { return part.lines.empty(); });
  return parts;
}

}  // namespace

Document read_subtitles(const std::string& content, const std::filesystem::path& file) {
  constexpr size_t kMostJoined = 8;  // subtitles of a sentence
  DocumentBuilder document;
  std::string end;
  const std::vector<ContentLine> lines = lines_of(content);
  if (std::ranges::none_of(lines, [](const ContentLine& line) { return is_time(line.text); }) &&
      !without_outer_space(content).empty())
    throw_error(ErrorKind::kData,
                "{}: found no times, expected subtitles with lines such as 00:00:01,000 --> "
                "00:00:02,000",
                file.string());
  const std::vector<Part> parts = parts_of(lines, end);
  for (size_t i = 0; i < parts.size();) {
    std::vector<Part> sentence = {parts[i++]};
    while (i < parts.size() && sentence.size() < kMostJoined && goes_on(sentence.back(), parts[i]))
      sentence.push_back(parts[i++]);
    add_text(sentence, document);
  }
  document.keep(end);
  return document.finish(MarkupFormat::kHtml);
}

}  // namespace heed
