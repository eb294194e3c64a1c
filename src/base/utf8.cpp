#include "base/utf8.h"

#include <unicode/utf8.h>  // its macros

#include <algorithm>

#include "base/error.h"
#include "base/unicode/unicode.h"

namespace heed {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

}  // namespace

std::optional<char32_t> next_code_point(std::string_view text, size_t& offset) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  UChar32 c = 0;
  U8_NEXT(bytes, offset, text.size(), c);
  return c < 0 ? std::nullopt : std::optional(static_cast<char32_t>(c));
}

size_t find_malformed(std::string_view text) {
  for (size_t offset = 0; offset < text.size();) {
    const size_t start = offset;
    if (!next_code_point(text, offset)) return start;
  }
  return std::string_view::npos;
}

std::optional<const char*> find_utf16(std::string_view beginning) {
  if (beginning.starts_with("\xFF\xFE") || beginning.starts_with("\xFE\xFF")) return "UTF-16";
  constexpr size_t kEnough = 16, kMost = 400;
  const size_t size = std::min(beginning.size(), kMost) / 2 * 2;
  if (size < kEnough) return {};
  size_t zeros[2] = {0, 0};
  for (size_t i = 0; i < size; ++i) zeros[i % 2] += beginning[i] == '\0';
  const auto [few, many] = std::minmax(zeros[0], zeros[1]);
  if (few > 0 || many * 4 < size) return {};
  return zeros[0] > zeros[1] ? "UTF-16BE" : "UTF-16LE";
}

std::string replace_malformed(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t offset = 0; offset < text.size();) {
    const size_t start = offset;
    if (next_code_point(text, offset))
      result.append(text, start, offset - start);
    else
      append_code_point(result, kReplacement);
  }
  return result;
}

std::vector<std::string_view> code_points(std::string_view text) {
  std::vector<std::string_view> result;
  result.reserve(text.size());
  for (size_t offset = 0; offset < text.size();) {
    const size_t start = offset;
    next_code_point(text, offset);
    result.push_back(text.substr(start, offset - start));
  }
  return result;
}

size_t count_code_points(std::string_view text) {
  size_t count = 0;
  for (size_t offset = 0; offset < text.size(); ++count) next_code_point(text, offset);
  return count;
}

void append_code_point(std::string& text, char32_t code_point) {
  HEED_CHECK(code_point <= 0x10FFFF && !U_IS_SURROGATE(code_point), "U+{:X}",
             static_cast<uint32_t>(code_point));
  uint8_t bytes[U8_MAX_LENGTH];
  size_t length = 0;
  U8_APPEND_UNSAFE(bytes, length, static_cast<UChar32>(code_point));
  text.append(reinterpret_cast<const char*>(bytes), length);
}

std::string lower_case(std::string_view text) {
  // ICU counts its UTF-16 units in 32 bits; a text has at most as many units as bytes.
  constexpr size_t kLongest = std::numeric_limits<int32_t>::max() / 4;
  if (text.size() > kLongest) {
    throw_error(ErrorKind::kData,
                "a text of {} bytes cannot be lower-cased, at most {} are possible", text.size(),
                kLongest);
  }
  return lower_cased(text);
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (size_t offset = 0; offset < text.size();) {
    const auto c = next_code_point(text, offset);
    width += c ? cells_of(*c) : 1;
  }
  return width;
}

std::string cut_to_width(std::string_view text, size_t width) {
  if (display_width(text) <= width) return std::string(text);
  std::string kept;
  size_t used = 1;  // the … itself
  for (const auto point : code_points(text)) {
    used += display_width(point);
    if (used > width) break;
    kept += point;
  }
  return kept + "…";
}

std::string_view trimmed(std::string_view text, std::string_view spaces) {
  const size_t begin = text.find_first_not_of(spaces);
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(spaces) + 1 - begin);
}

std::vector<std::string> split_words(std::string_view line) {
  constexpr std::string_view kSpaces = " \t";
  std::vector<std::string> words;
  for (size_t start = line.find_first_not_of(kSpaces); start != std::string_view::npos;) {
    const size_t end = line.find_first_of(kSpaces, start);
    words.emplace_back(line.substr(start, end - start));
    start = line.find_first_not_of(kSpaces, end);
  }
  return words;
}

}  // namespace heed
