// UTF-8 as the toolkit reads it: code points, validity by RFC 3629 (no surrogates, no overlong
// forms), case by ICU.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

// Byte offset of the first malformed sequence, or npos.
size_t find_malformed(std::string_view text);
inline bool is_utf8(std::string_view text) {
  return find_malformed(text) == std::string_view::npos;
}

// The name of the UTF-16 that text is in which begins like this, with a byte order mark or with every
// other byte 0; nullopt: it is none.
std::optional<const char*> find_utf16(std::string_view beginning);

// Each malformed byte sequence becomes U+FFFD (the maximal subpart, as Unicode recommends).
std::string replace_malformed(std::string_view text);

// The code point at `offset`, which moves behind it; nullopt if it is malformed, `offset` then moves
// behind its maximal subpart.
std::optional<char32_t> next_code_point(std::string_view text, size_t& offset);

// The code points of well-formed text, each as its own bytes. Views into `text`.
std::vector<std::string_view> code_points(std::string_view text);
size_t count_code_points(std::string_view text);
void append_code_point(std::string& text, char32_t code_point);

// Full lower-casing independent of the locale.
std::string lower_case(std::string_view text);

// Width on a terminal: 0 for combining marks, 2 for wide East Asian characters.
size_t display_width(std::string_view text);
// A wider text is cut to its first code points and … behind them.
std::string cut_to_width(std::string_view text, size_t width);

// Without these characters at both ends.
std::string_view trimmed(std::string_view text, std::string_view spaces);

// Words between runs of ASCII spaces, tabs; no empty ones.
std::vector<std::string> split_words(std::string_view line);

}  // namespace heed
