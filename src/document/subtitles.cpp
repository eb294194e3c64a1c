#include "document/subtitles.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "base/error.h"
#include "base/replace_all.h"
#include "base/sentences.h"
#include "base/unicode/unicode.h"
#include "base/utf8.h"
#include "document/lines.h"
#include "markup/markup_tokens.h"

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

// A tag of a subtitle, such as <i>, <c.red>, <v Anna> or <00:00:01.000>.
struct CueTag {
  size_t begin, end;  // bytes
  std::string name;   // "c"; "" for a time
  bool closes = false;
};

std::vector<CueTag> tags_in(std::string_view text) {
  std::vector<CueTag> tags;
  for (size_t begin = 0; (begin = text.find('<', begin)) != std::string_view::npos; ++begin) {
    const size_t end = text.find_first_of("<>", begin + 1);
    if (end == std::string_view::npos) break;
    std::string_view inside = text.substr(begin + 1, end - begin - 1);
    const bool closes = inside.starts_with('/');
    if (closes) inside.remove_prefix(1);
    const std::string name(inside.substr(0, inside.find_first_of(". \t/")));
    const bool is_time = !inside.empty() && inside.find(':') != std::string_view::npos &&
                         inside.find_first_not_of("0123456789:.,") == std::string_view::npos;
    const bool is_name = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
      return std::isalnum(c);
    }) && std::isalpha(static_cast<unsigned char>(name.front())) != 0;
    if (text[end] == '<' || !(is_time || is_name)) continue;
    tags.push_back({begin, end + 1, is_time ? "" : lower_case(name), closes});
  }
  return tags;
}

// The tags of a text that HTML does not have in this form, as numbered tags: <s0>red</s0> in place of
// <c.red>red</c>. One without the other of its pair is <s0/>.
class CueTags {
 public:
  explicit CueTags(const std::string& text) {
    const std::vector<CueTag> tags = tags_in(text);
    const std::vector<size_t> others = pairs_of(tags);
    size_t done = 0;
    for (size_t i = 0; i < tags.size(); ++i) {
      const CueTag& tag = tags[i];
      const std::string raw = text.substr(tag.begin, tag.end - tag.begin);
      text_ += text.substr(done, tag.begin - done);
      done = tag.end;
      if (others[i] == i && (tag.name == "br" || raw.ends_with("/>"))) {
        text_ += raw;
      } else if (others[i] == i) {
        if (tag.name.empty()) times_.push_back(raw);
        text_ += add(tag.name.empty() ? "<t#/>" : "<s#/>", {raw, ""});
      } else if (tag.closes) {
        text_ += closing_[others[i]];
      } else if (raw == "<" + tag.name + ">") {
        text_ += raw;
        closing_[i] =
            text.substr(tags[others[i]].begin, tags[others[i]].end - tags[others[i]].begin);
      } else {
        closing_[i] = "</s" + std::to_string(bytes_.size()) + ">";
        text_ += add("<s#>", {raw, "</" + tag.name + ">"});
      }
    }
    text_ += text.substr(done);
  }

  const std::string& text() const { return text_; }

  // Bytes of a translation. Times come in their order, wherever their words are.
  std::string show(const std::string& translation) const {
    std::string bytes;
    size_t time = 0;
    for (const MarkupToken& token : read_markup(translation, MarkupFormat::kHtml)) {
      const auto found = bytes_.find(token.name);
      if (found == bytes_.end())
        bytes += token.raw;
      else if (token.name.starts_with('t') && time < times_.size())
        bytes += times_[time++];
      else
        bytes += token.kind == MarkupToken::Kind::kClose ? found->second.close : found->second.open;
    }
    return bytes;
  }

 private:
  struct Bytes {
    std::string open, close;
  };

  std::string add(std::string form, Bytes bytes) {
    const std::string number = std::to_string(bytes_.size());
    bytes_[form.substr(1, 1) + number] = std::move(bytes);
    return replace_all(std::move(form), "#", number);
  }

  // The number of the other tag of each pair; without one its own.
  static std::vector<size_t> pairs_of(const std::vector<CueTag>& tags) {
    std::vector<size_t> others, open;
    for (size_t i = 0; i < tags.size(); ++i) {
      others.push_back(i);
      if (tags[i].name.empty()) continue;
      if (!tags[i].closes) {
        open.push_back(i);
        continue;
      }
      const auto found = std::find_if(open.rbegin(), open.rend(), [&](size_t begin) {
        return tags[begin].name == tags[i].name;
      });
      if (found == open.rend()) continue;
      others[i] = *found;
      others[*found] = i;
      open.erase(std::prev(found.base()), open.end());
    }
    return others;
  }

  std::string text_;
  std::map<std::string, Bytes> bytes_;     // by name of the numbered tag
  std::map<size_t, std::string> closing_;  // end tags in the text, by number of the start tag
  std::vector<std::string> times_;
};

// Ends the elements of each part in it, and begins them again in the next one.
void balance(std::vector<std::string>& parts) {
  using Kind = MarkupToken::Kind;
  struct Open {
    std::string tag, name;
  };
  std::vector<Open> open;
  for (std::string& part : parts) {
    for (std::string close;
         !open.empty() && part.starts_with(close = "</" + open.back().name + ">"); open.pop_back())
      part.erase(0, close.size());
    std::string begin;
    for (const Open& one : open) begin += one.tag;
    for (const MarkupToken& token : read_markup(part, MarkupFormat::kHtml)) {
      if (token.kind == Kind::kOpen) open.push_back({std::string(token.raw), token.name});
      if (token.kind == Kind::kClose && !open.empty() && open.back().name == token.name)
        open.pop_back();
    }
    part = begin + part;
    size_t ended = open.size();
    for (; ended > 0 && part.ends_with(open[ended - 1].tag); --ended)
      part.resize(part.size() - open[ended - 1].tag.size());
    while (ended > 0) part += "</" + open[--ended].name + ">";
  }
}

// Lines of one subtitle that belong together, with the bytes between the part before and them.
struct Part {
  std::string between;
  Lines lines;
  bool is_spoken = false;  // a line of a dialogue, behind a dash or a voice
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

bool has_times(const std::string& text) {
  return std::ranges::any_of(tags_in(text), [](const CueTag& tag) { return tag.name.empty(); });
}

// Times inside of a subtitle belong to it alone.
bool goes_on(const Part& part, const Part& next) {
  if (part.is_spoken || next.is_spoken) return false;
  const std::string text = text_of(part.lines), behind = text_of(next.lines);
  return !ends_a_sentence(text) && begins_in_lower_case(behind) && !has_times(text) &&
         !has_times(behind);
}

void add_text(const std::vector<Part>& parts, DocumentBuilder& document) {
  std::string original, text;
  std::vector<size_t> shares;
  for (const Part& part : parts) {
    const std::string own = text_of(part.lines);
    if (&part != &parts.front()) original += part.between, text += " ";
    original += bytes_of(part.lines);
    text += own;
    shares.push_back(visible_size(own));
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
  const CueTags tags(text);
  document.add(original, tags.text(), [slots, shares, tags](const std::string& translation) {
    std::vector<std::string> words = divide(translation, shares);
    balance(words);
    std::string bytes;
    for (size_t i = 0; i < slots.size(); ++i) {
      if (i > 0) bytes += slots[i].between;
      std::string lines;
      for (const std::string& line : divide(words[i], std::vector<size_t>(slots[i].lines, 1)))
        if (!line.empty()) lines += (lines.empty() ? "" : slots[i].line_end) + line;
      bytes += lines;
    }
    return tags.show(bytes);
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

// Length of a tag <v Anna> at the beginning of line i.
size_t voice_size(const Lines& lines, size_t i) {
  const std::vector<CueTag> tags = tags_in(lines[i].text);
  return tags.empty() || tags.front().begin > 0 || tags.front().name != "v" || tags.front().closes
             ? 0
             : tags.front().end;
}

// True if the voice that begins in line i ends before the next one of the subtitle.
bool ends_voice(const Lines& lines, size_t i) {
  for (size_t k = i; k < lines.size() && !lines[k].is_blank(); ++k) {
    if (k > i && (voice_size(lines, k) > 0 || is_time(lines[k].text))) return false;
    if (lines[k].text.find("</v>") != std::string_view::npos) return true;
  }
  return false;
}

// True if a line is said by one of several.
bool is_speech(const Lines& lines, size_t i) {
  return dash_size(lines[i].text) > 0 || voice_size(lines, i) > 0;
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
      in_dialogue = in_words && i + 1 < lines.size() && is_speech(lines, i + 1);
      if (in_words) parts.push_back({});
      continue;
    }
    const bool begins = parts.back().lines.empty() || (in_dialogue && is_speech(lines, i));
    if (!parts.back().lines.empty() && begins) parts.push_back({});
    size_t kept = begins ? position_size(line.text) : 0;
    if (begins) {
      const size_t dash = dash_size(line.text.substr(kept));
      const size_t voice = kept + dash == 0 ? voice_size(lines, i) : 0;
      parts.back().is_spoken = dash > 0 || voice > 0;
      kept += dash;
      // A voice that ends is an element; one that does not is no part of the text.
      if (voice > 0 && !ends_voice(lines, i)) kept += voice;
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
