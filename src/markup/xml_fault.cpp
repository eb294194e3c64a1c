#include "markup/xml_fault.h"

#include <algorithm>
#include <set>
#include <vector>

#include <spdlog/fmt/fmt.h>

#include "base/utf8.h"
#include "markup/character_references.h"

namespace heed {

namespace {

constexpr std::string_view kXmlSpaces = " \t\r\n";

bool is_xml_character(char32_t c) {
  return c >= 0x20 ? c != 0xFFFE && c != 0xFFFF : c == '\t' || c == '\r' || c == '\n';
}

// Ranges of NameStartChar beyond ASCII (production 4).
bool begins_xml_name(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
  constexpr std::pair<char32_t, char32_t> kRanges[] = {
      {0xC0, 0xD6},     {0xD8, 0xF6},     {0xF8, 0x2FF},    {0x370, 0x37D},
      {0x37F, 0x1FFF},  {0x200C, 0x200D}, {0x2070, 0x218F}, {0x2C00, 0x2FEF},
      {0x3001, 0xD7FF}, {0xF900, 0xFDCF}, {0xFDF0, 0xFFFD}, {0x10000, 0xEFFFF}};
  return std::ranges::any_of(
      kRanges, [c](const auto& range) { return range.first <= c && c <= range.second; });
}
bool continues_xml_name(char32_t c) {
  return begins_xml_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == 0xB7 ||
         (c >= 0x300 && c <= 0x36F) || c == 0x203F || c == 0x2040;
}

class XmlChecker {
 public:
  explicit XmlChecker(std::string_view line) : line_(line) {}

  std::optional<XmlFault> find() {
    if (starts_with("<?xml ")) skip_to("?>", "the XML declaration has no \"?>\"");
    if (starts_with("<!DOCTYPE")) skip_to(">", "the document type has no \">\"");
    while (!fault_ && at_ < line_.size()) read_content();
    if (!fault_ && !open_.empty())
      refuse(open_.back().byte, fmt::format("<{}> has no end tag", open_.back().name));
    return std::move(fault_);
  }

 private:
  struct OpenElement {
    std::string_view name;
    size_t byte;
  };

  bool starts_with(std::string_view text) const { return line_.substr(at_).starts_with(text); }
  bool is_at(char c) const { return at_ < line_.size() && line_[at_] == c; }
  void refuse(size_t byte, std::string message) {
    if (!fault_) fault_ = {byte, std::move(message)};
    at_ = line_.size();
  }
  void skip_to(std::string_view mark, const char* message) {
    const size_t begin = at_, end = line_.find(mark, at_);
    if (end == std::string_view::npos) return refuse(begin, message);
    check_characters(line_.substr(begin, end - begin), begin);
    if (!fault_) at_ = end + mark.size();
  }
  bool skip_spaces() {
    const size_t begin = at_;
    while (at_ < line_.size() && kXmlSpaces.find(line_[at_]) != std::string_view::npos) ++at_;
    return at_ > begin;
  }
  void check_characters(std::string_view text, size_t begin) {
    for (size_t at = 0; at < text.size();) {
      const size_t own = at;
      const auto c = next_code_point(text, at);
      if (c && !is_xml_character(*c))
        return refuse(begin + own,
                      fmt::format("U+{:04X}, which XML does not allow", static_cast<uint32_t>(*c)));
    }
  }

  // "" if there is none.
  std::string_view read_name() {
    const size_t begin = at_;
    for (size_t next = at_; next < line_.size(); at_ = next) {
      const auto c = next_code_point(line_, next);
      if (!c || !(at_ == begin ? begins_xml_name(*c) : continues_xml_name(*c))) break;
    }
    return line_.substr(begin, at_ - begin);
  }

  void read_content() {
    if (is_at('<')) return read_markup_at();
    if (is_at('&')) return read_reference();
    const size_t begin = at_, end = std::min(line_.find_first_of("<&", at_), line_.size());
    const std::string_view text = line_.substr(begin, end - begin);
    if (const size_t cdata = text.find("]]>"); cdata != std::string_view::npos)
      return refuse(begin + cdata, "\"]]>\" in text, expected \"]]&gt;\"");
    check_characters(text, begin);
    if (!fault_) at_ = end;
  }

  void read_markup_at() {
    if (starts_with("<!--")) return read_comment();
    if (starts_with("<![CDATA[")) return skip_to("]]>", "a CDATA section has no \"]]>\"");
    if (starts_with("<?")) return read_instruction();
    if (starts_with("</")) return read_end_tag();
    read_start_tag();
  }

  void read_comment() {
    const size_t begin = at_, end = line_.find("--", at_ + 4);
    if (end == std::string_view::npos) return refuse(begin, "a comment has no \"-->\"");
    if (!line_.substr(end).starts_with("-->")) return refuse(end, "\"--\" in a comment");
    check_characters(line_.substr(begin, end - begin), begin);
    if (!fault_) at_ = end + 3;
  }

  void read_instruction() {
    const size_t begin = at_;
    at_ += 2;
    const std::string_view name = read_name();
    const bool is_xml = name.size() == 3 && lower_case(name) == "xml";
    if (name.empty() || is_xml)
      return refuse(begin, is_xml ? "an XML declaration that does not begin the line"
                                  : "\"<?\" without a name");
    if (!starts_with("?>") && !skip_spaces())
      return refuse(at_, "expected a space or \"?>\" behind the name");
    skip_to("?>", "a processing instruction has no \"?>\"");
  }

  void read_end_tag() {
    const size_t begin = at_;
    at_ += 2;
    const std::string_view name = read_name();
    skip_spaces();
    if (name.empty() || !is_at('>')) return refuse(begin, "\"</\" begins no end tag");
    ++at_;
    if (open_.empty()) return refuse(begin, fmt::format("</{}> ends no element", name));
    if (open_.back().name != name)
      return refuse(begin, fmt::format("</{}>, expected </{}>", name, open_.back().name));
    open_.pop_back();
  }

  void read_start_tag() {
    const size_t begin = at_++;
    const std::string_view name = read_name();
    if (name.empty()) return refuse(begin, "\"<\" begins no tag, expected \"&lt;\"");
    std::set<std::string_view> attributes;
    while (!fault_) {
      const bool has_space = skip_spaces();
      if (is_at('>')) {
        ++at_;
        open_.push_back({name, begin});
        return;
      }
      if (starts_with("/>")) {
        at_ += 2;
        return;
      }
      if (at_ == line_.size()) return refuse(begin, fmt::format("the tag <{}> has no \">\"", name));
      const size_t own = at_;
      const std::string_view attribute = read_name();
      if (attribute.empty() || !has_space)
        return refuse(own, "expected \">\", or a space and an attribute");
      if (!attributes.insert(attribute).second)
        return refuse(own, fmt::format("the attribute {} twice in a tag", attribute));
      read_value(attribute);
    }
  }

  void read_value(std::string_view attribute) {
    skip_spaces();
    if (!is_at('=')) return refuse(at_, fmt::format("expected \"=\" behind {}", attribute));
    ++at_;
    skip_spaces();
    if (!is_at('"') && !is_at('\''))
      return refuse(at_, fmt::format("expected the value of {} in quotes", attribute));
    const char quote = line_[at_];
    const size_t begin = at_++;
    while (!fault_ && at_ < line_.size() && !is_at(quote)) {
      if (is_at('<')) return refuse(at_, "\"<\" in a value, expected \"&lt;\"");
      if (is_at('&')) {
        read_reference();
        continue;
      }
      const size_t own = at_;
      const auto c = next_code_point(line_, at_);
      if (c && !is_xml_character(*c)) check_characters(line_.substr(own, at_ - own), own);
    }
    if (fault_) return;
    if (at_ == line_.size())
      return refuse(begin, fmt::format("the value of {} has no closing quote", attribute));
    ++at_;
  }

  void read_reference() {
    const size_t begin = at_++;
    if (is_at('#')) return read_numbered(begin);
    const std::string_view name = read_name();
    if (name.empty() || !is_at(';')) return refuse(begin, "\"&\", expected \"&amp;\"");
    ++at_;
    if (!decoded_reference(line_.substr(begin, at_ - begin), MarkupFormat::kXml))
      refuse(begin, fmt::format("&{};, expected one of &amp; &lt; &gt; &quot; &apos;", name));
  }

  void read_numbered(size_t begin) {
    ++at_;
    const bool is_hexadecimal = is_at('x');
    if (is_hexadecimal) ++at_;
    const size_t digits = at_;
    const char* known = is_hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
    at_ = std::min(line_.find_first_not_of(known, at_), line_.size());
    const std::string text(line_.substr(digits, at_ - digits));
    constexpr size_t kMostDigits = 8;
    const size_t zeros = std::min(text.find_first_not_of('0'), text.size());
    const uint64_t number = text.size() - zeros > kMostDigits || text.empty()
                                ? 0
                                : std::stoull(text, nullptr, is_hexadecimal ? 16 : 10);
    const bool is_character = is_xml_character(static_cast<char32_t>(number)) &&
                              number <= 0x10FFFF && !(number >= 0xD800 && number < 0xE000);
    if (!is_at(';') || !is_character)
      return refuse(begin, "a reference by number that names no character");
    ++at_;
  }

  std::string_view line_;
  size_t at_ = 0;
  std::vector<OpenElement> open_;
  std::optional<XmlFault> fault_;
};

}  // namespace

std::optional<XmlFault> find_xml_fault(std::string_view line) { return XmlChecker(line).find(); }

}  // namespace heed
