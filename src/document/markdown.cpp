#include "document/markdown.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <md4c.h>

#include "base/error.h"
#include "base/log.h"
#include "base/replace_all.h"
#include "base/sentences.h"
#include "base/unspaced.h"
#include "base/utf8.h"
#include "document/lines.h"
#include "markup/character_references.h"
#include "markup/markup_tokens.h"

namespace heed {

namespace {

constexpr size_t kUnknown = std::string::npos;
constexpr std::string_view kSpecial = "\\`*_[]<>~|#";  // may be markup in a paragraph

// Bytes of a span around its text; an empty tag has `open` alone.
struct SpanBytes {
  std::string open, close;
};

struct Span {
  MD_SPANTYPE type;
  size_t begin = kUnknown;  // of its bytes
  size_t number = 0;        // of its SpanBytes
  bool is_whole = false;    // an empty tag with all its bytes
};

// The texts of one block, as the parser gives them.
struct Run {
  size_t begin = kUnknown, end = kUnknown;
  bool at_line_begin = true;  // so that the bytes before the next text are not known
  std::string text;           // HTML
  std::vector<SpanBytes> spans;
  std::vector<Span> open;
  size_t inside = 0;        // spans in the last one that is open, which is whole
  bool escaped = false;     // the last text stands behind a backslash
  size_t resolved = 0;      // the first of `open` whose bytes are known
  std::string line_prefix;  // from the end of a line to the text of the next one
  std::string bare;         // characters of kSpecial that stand for themselves without a backslash
  bool has_words = false;
  bool failed = false;
};

std::string tag(const char* form, size_t number) {
  return replace_all(form, "#", std::to_string(number));
}

// Bytes of a span on one line: a line break and what a block puts before the next line are a space.
std::string bytes_on_one_line(std::string_view bytes) {
  std::string joined;
  for (const ContentLine& line : lines_of(bytes)) {
    const size_t begin =
        joined.empty() ? 0 : std::min(line.text.find_first_not_of(" \t>"), line.text.size());
    joined += line.text.substr(begin);
    if (!line.end.empty()) joined += ' ';
  }
  return joined;
}

// A line of a paragraph that would begin another block.
bool begins_block(std::string_view line) {
  if (line.empty()) return false;
  const size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  if (digits > 0 && digits < 10 && digits < line.size() &&
      (line[digits] == '.' || line[digits] == ')'))
    return digits + 1 == line.size() || line[digits + 1] == ' ';
  const std::string_view word = line.substr(0, std::min(line.find(' '), line.size()));
  return line.starts_with('>') || word.find_first_not_of("-+*#=_:") == std::string_view::npos;
}

std::string escape_begin(const std::string& text) {
  if (!begins_block(text)) return text;
  const size_t mark = std::min(text.find_first_not_of("0123456789"), text.size() - 1);
  return text.substr(0, mark) + "\\" + text.substr(mark);
}

// Markdown of a translation in HTML with the tags of a run.
class MarkdownWriter {
 public:
  MarkdownWriter(const Run& run, size_t width)
      : spans_(run.spans), prefix_(run.line_prefix), bare_(run.bare), width_(width) {
    begins_block_ = begins_block(run.text);
  }

  std::string operator()(const std::string& translation) const {
    std::string bytes;
    const std::vector<MarkupToken> tokens = read_markup(translation, MarkupFormat::kHtml);
    const std::vector<bool> left_out = without_words(tokens);
    for (size_t i = 0; i < tokens.size(); ++i)
      if (!left_out[i]) bytes += bytes_of(tokens[i]);
    if (!begins_block_) bytes = escape_begin(bytes);
    // A line with such a character could become the head of a table.
    if (prefix_.empty() || bare_.find('|') != std::string::npos) return bytes;
    std::string lines;
    for (const std::string& line : wrap(units_of(bytes), width_))
      lines += (lines.empty() ? "" : prefix_) + line;
    return lines;
  }

 private:
  // Words, of which none would begin a block at the beginning of a line.
  static std::vector<std::string> units_of(const std::string& bytes) {
    std::vector<std::string> units;
    for (const std::string& word : split_words(bytes)) {
      if (units.empty() || !begins_block(word))
        units.push_back(word);
      else
        units.back() += " " + word;
    }
    return units;
  }

  // The tags of emphasis around no word, which would be no emphasis in Markdown.
  std::vector<bool> without_words(const std::vector<MarkupToken>& tokens) const {
    using Kind = MarkupToken::Kind;
    std::vector<bool> left_out(tokens.size());
    struct Open {
      size_t token;
      bool has_words = false;
    };
    std::vector<Open> open;
    for (size_t i = 0; i < tokens.size(); ++i) {
      const MarkupToken& token = tokens[i];
      if (token.kind == Kind::kOpen) open.push_back({i});
      if (token.kind == Kind::kText && has_word(token.raw))
        for (Open& one : open) one.has_words = true;
      if (token.kind == Kind::kEmpty)
        for (Open& one : open) one.has_words = true;
      if (token.kind != Kind::kClose || open.empty() ||
          tokens[open.back().token].name != token.name)
        continue;
      const auto number = number_of(token.name);
      if (!open.back().has_words && number && is_emphasis(spans_[*number].open)) {
        left_out[open.back().token] = left_out[i] = true;
        spdlog::warn("{} around no word of the translation is left out", spans_[*number].open);
      }
      open.pop_back();
    }
    return left_out;
  }

  static bool is_emphasis(const std::string& open) {
    return open.find_first_not_of("*_~") == std::string::npos;
  }

  static bool has_word(std::string_view text) {
    return std::ranges::any_of(code_points(text), is_part_of_word);
  }

  std::string bytes_of(const MarkupToken& token) const {
    using Kind = MarkupToken::Kind;
    if (token.kind == Kind::kText) return escaped(token.raw);
    if (token.kind == Kind::kReference) return of_reference(token.raw);
    const auto number = number_of(token.name);
    if (!number) return std::string(token.raw);
    return token.kind == Kind::kClose ? spans_[*number].close : spans_[*number].open;
  }

  std::optional<size_t> number_of(const std::string& name) const {
    size_t number = 0;
    if (!name.starts_with('m')) return std::nullopt;
    const auto [end, fault] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
    const bool is_number = fault == std::errc() && end == name.data() + name.size();
    return is_number && number < spans_.size() ? std::optional(number) : std::nullopt;
  }

  std::string escaped(std::string_view text) const {
    std::string result;
    for (const char c : text) {
      if (kSpecial.find(c) != std::string_view::npos && bare_.find(c) == std::string::npos)
        result += '\\';
      result += c;
    }
    return result;
  }

  std::string of_reference(std::string_view raw) const {
    if (raw == "&lt;") return escaped("<");
    if (raw == "&gt;") return escaped(">");
    return raw == "&amp;" ? "&" : std::string(raw);
  }

  std::vector<SpanBytes> spans_;
  std::string prefix_, bare_;
  size_t width_;
  bool begins_block_;
};

class MarkdownReader {
 public:
  MarkdownReader(const std::string& content, const std::filesystem::path& file)
      : content_(content), file_(file) {}

  Document read() {
    const size_t skipped = front_matter();
    MD_PARSER parser = {};
    parser.flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS;
    parser.enter_block = [](MD_BLOCKTYPE type, void*, void* reader) {
      static_cast<MarkdownReader*>(reader)->block_ = type;
      return static_cast<MarkdownReader*>(reader)->end_run();
    };
    parser.leave_block = [](MD_BLOCKTYPE, void*, void* reader) {
      return static_cast<MarkdownReader*>(reader)->end_run();
    };
    parser.enter_span = [](MD_SPANTYPE type, void*, void* reader) {
      return static_cast<MarkdownReader*>(reader)->enter(type);
    };
    parser.leave_span = [](MD_SPANTYPE, void*, void* reader) {
      return static_cast<MarkdownReader*>(reader)->leave();
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* reader) {
      return static_cast<MarkdownReader*>(reader)->add(type, {text, size});
    };
    const std::string_view body = std::string_view(content_).substr(skipped);
    if (md_parse(body.data(), static_cast<MD_SIZE>(body.size()), &parser, this) != 0)
      throw_error(ErrorKind::kData, "{}: the Markdown parser gave up", file_.string());
    document_.keep(std::string_view(content_).substr(written_));
    return document_.finish(MarkupFormat::kHtml);
  }

 private:
  // Bytes of the block of YAML between lines of `---` at the beginning, or of TOML between `+++`.
  size_t front_matter() const {
    const std::vector<ContentLine> lines = lines_of(content_);
    if (lines.empty() || (lines.front().text != "---" && lines.front().text != "+++")) return 0;
    const bool is_yaml = lines.front().text == "---";
    for (const ContentLine& line : lines) {
      const bool is_end = line.text == lines.front().text || (is_yaml && line.text == "...");
      if (line.text.data() == content_.data() || !is_end) continue;
      return static_cast<size_t>(line.text.data() - content_.data()) + line.text.size() +
             line.end.size();
    }
    return 0;
  }

  int enter(MD_SPANTYPE type) {
    if (in_whole())
      ++run_.inside;
    else
      run_.open.push_back({type});
    return 0;
  }

  bool in_whole() const {
    return !run_.open.empty() && (run_.open.back().is_whole || is_whole(run_.open.back().type));
  }
  static bool is_whole(MD_SPANTYPE type) { return type == MD_SPAN_IMG || type == MD_SPAN_CODE; }

  int add(MD_TEXTTYPE type, std::string_view text) {
    const bool is_content =
        text.data() >= content_.data() && text.data() < content_.data() + content_.size();
    if (block_ == MD_BLOCK_CODE || block_ == MD_BLOCK_HTML || run_.failed) return 0;
    if (type == MD_TEXT_BR && !in_whole()) return break_line();
    if (type == MD_TEXT_SOFTBR && !in_whole()) {
      run_.at_line_begin = true;
      return 0;
    }
    if (!is_content) {
      run_.failed |= !in_whole();
      return 0;
    }
    size_t offset = static_cast<size_t>(text.data() - content_.data());
    if (in_whole() && run_.resolved == run_.open.size()) {
      run_.end = offset + text.size();
      return 0;
    }
    if (const size_t size = mark_size(text); size > 0) {
      if (size == text.size() && run_.begin == kUnknown) return 0;
      end_run();
      text.remove_prefix(size);
      if (text.empty()) return 0;
      offset += size;
    }
    reach(offset);
    if (run_.failed) return 0;
    run_.end = offset + text.size();
    if (in_whole()) return 0;
    add_text(type, text);
    return 0;
  }

  // Bytes at the beginning of a line that CommonMark has as text of a paragraph, and other programs as
  // markup: the colon of a definition, and a line that begins or ends a block (::: note).
  size_t mark_size(std::string_view text) const {
    if (!run_.at_line_begin || !run_.open.empty()) return 0;
    if (text.starts_with(":::")) return text.size();
    if (!text.starts_with(": ") && !text.starts_with(":\t")) return 0;
    return std::min(text.find_first_not_of(" \t", 1), text.size());
  }

  void add_text(MD_TEXTTYPE type, std::string_view text) {
    if (type == MD_TEXT_HTML || type == MD_TEXT_ENTITY) {
      run_.text += text;
      run_.has_words |= type == MD_TEXT_ENTITY;
      return;
    }
    run_.text += encoded_text(text, /*greater=*/true);
    for (const char c : kSpecial)
      if (!run_.escaped && text.find(c) != std::string_view::npos &&
          run_.bare.find(c) == std::string::npos)
        run_.bare += c;
    run_.has_words |= !without_outer_space(text).empty();
  }

  // Finds the bytes between the end of the run and a text at this offset: the beginnings of spans, a
  // backslash, the end of a line.
  void reach(size_t offset) {
    size_t begin = offset;
    run_.escaped =
        begin > 0 && content_[begin - 1] == '\\' && (run_.at_line_begin || run_.end + 1 == begin);
    if (run_.escaped) --begin;
    std::vector<size_t> begins;
    for (size_t i = run_.open.size(); i-- > run_.resolved;) {
      const size_t size = size_before(run_.open[i].type, begin);
      if (size == 0) return fail();
      begin -= size;
      begins.push_back(begin);
    }
    if (!come_to(begin)) return fail();
    for (size_t i = run_.resolved; i < run_.open.size(); ++i) {
      const size_t from = begins.back();
      begins.pop_back();
      const size_t to = begins.empty() ? offset - (run_.escaped ? 1 : 0) : begins.back();
      open_span(run_.open[i], from, to);
    }
    run_.resolved = run_.open.size();
  }

  // True if the run goes on at this offset.
  bool come_to(size_t begin) {
    if (run_.begin == kUnknown) {
      run_.begin = begin;
    } else if (run_.at_line_begin) {
      if (begin < run_.end) return false;
      std::string between = content_.substr(run_.end, begin - run_.end);
      between.erase(0, between.find_first_of("\r\n"));
      if (between.empty()) return false;
      run_.line_prefix = between;
      run_.text += ' ';
    } else if (begin != run_.end) {
      return false;
    }
    run_.at_line_begin = false;
    return true;
  }

  void open_span(Span& span, size_t begin, size_t end) {
    span.begin = begin;
    span.is_whole = is_whole(span.type) || content_[begin] == '<';
    span.number = run_.spans.size();
    run_.spans.push_back({content_.substr(begin, end - begin), ""});
    if (!span.is_whole) run_.text += tag("<m#>", span.number);
  }

  // Bytes of the beginning of a span that ends at this offset; 0: there is none.
  size_t size_before(MD_SPANTYPE type, size_t offset) const {
    const auto ends_in = [&](std::string_view bytes) {
      return offset >= bytes.size() &&
             std::string_view(content_).substr(offset - bytes.size(), bytes.size()) == bytes;
    };
    size_t size = 0;
    switch (type) {
      case MD_SPAN_EM:
        return ends_in("*") || ends_in("_") ? 1 : 0;
      case MD_SPAN_STRONG:
        return ends_in("**") || ends_in("__") ? 2 : 0;
      case MD_SPAN_DEL:
        return ends_in("~~") ? 2 : ends_in("~") ? 1 : 0;
      case MD_SPAN_A:
        return ends_in("[") || ends_in("<") ? 1 : 0;
      case MD_SPAN_IMG:
        return ends_in("![") ? 2 : 0;
      case MD_SPAN_CODE:
        while (size < offset && content_[offset - size - 1] == ' ') ++size;
        for (const size_t spaces = size; size < offset; ++size)
          if (content_[offset - size - 1] != '`') return size > spaces ? size : 0;
        return size;
      default:
        return 0;
    }
  }

  int leave() {
    if (run_.failed) return 0;
    if (run_.inside > 0) {
      --run_.inside;
      return 0;
    }
    if (run_.resolved < run_.open.size() && !reach_empty()) return 0;
    const Span span = run_.open.back();
    const size_t end = run_.at_line_begin ? kUnknown : end_of(span);
    if (end == kUnknown) {
      fail();
      return 0;
    }
    run_.open.pop_back();
    run_.resolved = run_.open.size();
    SpanBytes& bytes = run_.spans[span.number];
    if (span.is_whole) {
      bytes.open = bytes_on_one_line(content_.substr(span.begin, end - span.begin));
      run_.text += tag("<m#/>", span.number);
    } else {
      bytes.close = bytes_on_one_line(content_.substr(run_.end, end - run_.end));
      run_.text += tag("</m#>", span.number);
    }
    run_.end = end;
    return 0;
  }

  // Finds the bytes of a span without text, the last that is open. At the beginning of the run they
  // stay before the run; false is returned then, and if they are not found.
  bool reach_empty() {
    if (run_.begin == kUnknown && run_.open.size() == 1) {
      run_.open.clear();
      return false;
    }
    const bool is_image = run_.open.back().type == MD_SPAN_IMG;
    const size_t begin =
        is_image && run_.begin != kUnknown ? content_.find("![", run_.end) : kUnknown;
    if (begin == kUnknown || run_.resolved + 1 < run_.open.size() || !come_to(begin)) {
      fail();
      return false;
    }
    run_.end = begin + 2;
    open_span(run_.open.back(), begin, run_.end);
    run_.resolved = run_.open.size();
    return true;
  }

  // Offset behind a span, whose text ends at the end of the run.
  size_t end_of(const Span& span) const {
    const std::string_view open = run_.spans[span.number].open;
    const size_t at = run_.end;
    const auto behind = [&](std::string_view close) {
      return std::string_view(content_).substr(at, close.size()) == close ? at + close.size()
                                                                          : kUnknown;
    };
    if (span.type == MD_SPAN_CODE) {
      const std::string ticks(open.substr(0, std::min(open.find(' '), open.size())));
      const size_t found = content_.find(ticks, at);
      return found == kUnknown ? kUnknown : found + ticks.size();
    }
    if (open == "<") return behind(">");
    if (span.type == MD_SPAN_A)
      return at < content_.size() && content_[at] == ']' ? behind_target(at + 1) : kUnknown;
    if (span.type == MD_SPAN_IMG) {
      const size_t found = content_.find(']', at);
      return found == kUnknown ? kUnknown : behind_target(found + 1);
    }
    return behind(open);
  }

  // Offset behind the (address "title") or the [label] of a link, if there is one.
  size_t behind_target(size_t at) const {
    if (at >= content_.size() || (content_[at] != '(' && content_[at] != '[')) return at;
    if (content_[at] == '[') {
      const size_t end = content_.find(']', at);
      return end == kUnknown ? kUnknown : end + 1;
    }
    int depth = 0;
    char quote = 0;
    for (; at < content_.size(); ++at) {
      const char c = content_[at];
      if (c == '\\')
        ++at;
      else if (quote != 0)
        quote = c == quote ? 0 : quote;
      else if ((c == '"' || c == '\'') && (content_[at - 1] == ' ' || content_[at - 1] == '\n'))
        quote = c;
      else if (c == '(')
        ++depth;
      else if (c == ')' && --depth == 0)
        return at + 1;
    }
    return kUnknown;
  }

  // A hard line break: texts on its two sides.
  int break_line() {
    if (!run_.open.empty()) fail();
    if (run_.failed) return 0;
    return end_run();
  }

  void fail() { run_.failed = true; }

  int end_run() {
    if (run_.failed || (run_.begin != kUnknown && run_.begin < written_)) {
      warn();
    } else if (run_.has_words && run_.open.empty()) {
      keep_labels();
      document_.keep(std::string_view(content_).substr(written_, run_.begin - written_));
      const std::string original = content_.substr(run_.begin, run_.end - run_.begin);
      document_.add(original, run_.text,
                    MarkdownWriter(run_, width_of(original, run_.line_prefix)));
      written_ = run_.end;
    }
    run_ = {};
    return 0;
  }

  // Makes empty tags of what Markdown of CommonMark has as text, and other programs as markup:
  // references of footnotes ([^1]), their labels ([^1]:) and kinds of quotes ([!NOTE]).
  void keep_labels() {
    std::string text;
    for (size_t at = 0; at < run_.text.size();) {
      const size_t size = label_size(std::string_view(run_.text).substr(at), at == 0);
      if (size == 0) {
        text += run_.text[at++];
        continue;
      }
      text += tag("<m#/>", run_.spans.size());
      run_.spans.push_back({run_.text.substr(at, size), ""});
      at += size;
    }
    run_.text = text;
  }

  // Length of a label at the beginning of a text; 0: there is none. is_first: of a paragraph.
  static size_t label_size(std::string_view text, bool is_first) {
    if (!text.starts_with("[^") && !(is_first && text.starts_with("[!"))) return 0;
    constexpr size_t kLongest = 200;  // bytes
    const size_t end = text.substr(0, kLongest).find(']');
    const std::string_view inside = text.substr(2, end == kUnknown ? 0 : end - 2);
    if (end == kUnknown || inside.empty() || inside.find_first_of(" \t<&[") != kUnknown) return 0;
    return end + 1 + (is_first && text.substr(end + 1).starts_with(':') ? 1 : 0);
  }

  // Columns of the widest line, without what stands before its text.
  static size_t width_of(const std::string& original, const std::string& line_prefix) {
    size_t width = 0;
    const size_t behind_break = std::min(line_prefix.find('\n') + 1, line_prefix.size());
    for (const ContentLine& line : lines_of(original)) {
      const bool is_first = line.text.data() == original.data();
      const size_t before =
          is_first ? 0 : display_width(std::string_view(line_prefix).substr(behind_break));
      width =
          std::max(width, display_width(line.text) - std::min(before, display_width(line.text)));
    }
    return width;
  }

  void warn() const {
    const size_t known = run_.begin != kUnknown ? run_.begin : written_;
    const auto line =
        std::count(content_.begin(), content_.begin() + static_cast<std::ptrdiff_t>(known), '\n') +
        1;
    spdlog::warn(
        "{}:{}: a paragraph behind this line stays untranslated: its spans were not understood",
        file_.string(), line);
  }

  const std::string& content_;
  const std::filesystem::path& file_;
  DocumentBuilder document_;
  size_t written_ = 0;                 // bytes of the content
  MD_BLOCKTYPE block_ = MD_BLOCK_DOC;  // that was entered last
  Run run_;
};

}  // namespace

Document read_markdown(const std::string& content, const std::filesystem::path& file) {
  return MarkdownReader(content, file).read();
}

}  // namespace heed
