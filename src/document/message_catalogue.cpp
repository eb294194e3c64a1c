#include "document/message_catalogue.h"

#include <algorithm>

#include <strings.h>

#include "base/error.h"
#include "base/printable.h"
#include "base/sentences.h"
#include "document/lines.h"

namespace heed {

namespace {

constexpr std::string_view kQuote = "\"";

// Character behind a backslash, and what it stands for.
constexpr std::pair<char, char> kEscapes[] = {{'n', '\n'}, {'t', '\t'},  {'r', '\r'},
                                              {'"', '"'},  {'\\', '\\'}, {'a', '\a'},
                                              {'b', '\b'}, {'f', '\f'},  {'v', '\v'}};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const auto* found = std::ranges::find(kEscapes, c, &std::pair<char, char>::second);
    if (found == std::end(kEscapes))
      result += c;
    else
      (result += '\\') += found->first;
  }
  return result;
}

// A string of the catalogue, over one or several lines.
struct Value {
  std::string text;
  size_t begin = 0, end = 0;  // bytes of the content, with the quotation marks
};

struct Message {
  Value id, plural;
  std::vector<Value> translations;  // of each form
};

class CatalogueReader {
 public:
  CatalogueReader(const std::string& content, const std::filesystem::path& file)
      : content_(content), file_(file) {}

  Document read() {
    for (const ContentLine& line : lines_of(content_)) {
      ++number_;
      read_line(line);
    }
    end_message();
    document_.keep(std::string_view(content_).substr(written_));
    Document document = document_.finish();
    document.has_placeholders = true;
    return document;
  }

 private:
  [[noreturn]] void fail(std::string_view found) const {
    throw_error(ErrorKind::kData,
                "{}:{}: found {}, expected a line of a message catalogue (PO): a comment, msgid, "
                "msgstr or a string in quotation marks",
                file_.string(), number_, printable(std::string(found.substr(0, 60))));
  }

  void read_line(const ContentLine& line) {
    const std::string_view text = without_outer_space(line.text);
    if (text.empty() || text.starts_with('#')) {
      value_ = nullptr;
      return;
    }
    const size_t quote = text.find('"');
    if (quote == std::string_view::npos || !text.ends_with('"') || quote + 1 == text.size())
      fail(text);
    const std::string_view keyword = without_outer_space(text.substr(0, quote));
    if (!keyword.empty()) begin_value(keyword);
    if (value_ == nullptr) fail(text);
    const std::string_view string = text.substr(quote);
    const size_t offset = static_cast<size_t>(string.data() - content_.data());
    if (!keyword.empty()) value_->begin = offset;
    value_->end = offset + string.size();
    value_->text += unescaped(string.substr(1, string.size() - 2));
    line_end_ = line.end;
  }

  void begin_value(std::string_view keyword) {
    if (keyword == "msgctxt" || keyword == "msgid") {
      if (!message_.translations.empty()) end_message();
      value_ = keyword == "msgid" ? &message_.id : &context_;
      *value_ = {};
    } else if (keyword == "msgid_plural") {
      value_ = &message_.plural;
    } else if (keyword == "msgstr" || (keyword.starts_with("msgstr[") && keyword.ends_with(']'))) {
      value_ = &message_.translations.emplace_back();
    } else {
      fail(keyword);
    }
  }

  std::string unescaped(std::string_view string) const {
    std::string result;
    for (size_t i = 0; i < string.size(); ++i) {
      if (string[i] == '"') fail(string);
      if (string[i] != '\\') {
        result += string[i];
        continue;
      }
      const auto* found = ++i < string.size() ? std::ranges::find(kEscapes, string[i],
                                                                  &std::pair<char, char>::first)
                                              : std::end(kEscapes);
      if (found == std::end(kEscapes)) fail(string);
      result += found->second;
    }
    return result;
  }

  void end_message() {
    const Message message = std::move(message_);
    message_ = {};
    value_ = nullptr;
    if (message.id.text.empty()) {
      for (const Value& header : message.translations) check_charset(header.text);
      return;
    }
    for (size_t form = 0; form < message.translations.size(); ++form) {
      const bool is_plural = form > 0 && message.plural.begin > 0;
      if (message.translations[form].text.empty())
        add(message.translations[form], (is_plural ? message.plural : message.id).text);
    }
  }

  void check_charset(const std::string& header) const {
    const std::string key = "charset=";
    const size_t begin = header.find(key);
    if (begin == std::string::npos) return;
    const size_t end = header.find_first_of(" \n", begin);
    const std::string name = header.substr(begin + key.size(), end - begin - key.size());
    for (const char* known : {"UTF-8", "UTF8", "ASCII", "US-ASCII", "CHARSET"})
      if (strcasecmp(name.c_str(), known) == 0) return;
    throw_error(ErrorKind::kData,
                "{}: found charset={}, expected UTF-8; convert it: msgconv -t UTF-8 {} -o {}",
                file_.string(), printable(name), file_.string(), "utf8.po");
  }

  // The lines of a message, each a text, in place of the empty string.
  void add(const Value& empty, const std::string& message) {
    document_.keep(std::string_view(content_).substr(written_, empty.begin - written_));
    written_ = empty.end;
    const bool has_lines = message.find('\n') < message.size() - 1;
    const std::string next = "\\n\"" + line_end_ + "\"";  // from one line to the next
    std::string between = has_lines ? "\"\"" + line_end_ + "\"" : "\"";
    for (size_t begin = 0; begin < message.size();) {
      const size_t end = std::min(message.find('\n', begin), message.size());
      const std::string line = message.substr(begin, end - begin);
      const std::string_view words = without_outer_space(line);
      const size_t spaces = static_cast<size_t>(words.data() - line.data());
      document_.keep(between);
      if (words.empty()) {
        document_.keep(escaped(line));
      } else {
        document_.keep(escaped(line.substr(0, spaces)));
        document_.add(escaped(std::string(words)), std::string(words), escaped);
        document_.keep(escaped(line.substr(spaces + words.size())));
      }
      begin = end + 1;
      between = begin < message.size() ? next : end < message.size() ? "\\n" : "";
    }
    document_.keep(between + "\"");
  }

  const std::string& content_;
  const std::filesystem::path& file_;
  DocumentBuilder document_;
  size_t written_ = 0;  // bytes of the content
  int64_t number_ = 0;  // of the line, from 1
  std::string line_end_;
  Message message_;
  Value context_;
  Value* value_ = nullptr;  // that a further string belongs to
};

}  // namespace

Document read_message_catalogue(const std::string& content, const std::filesystem::path& file) {
  return CatalogueReader(content, file).read();
}

}  // namespace heed
