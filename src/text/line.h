// What every tokenizer does to a line before it looks at it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

// How a space is shown inside a piece: U+2581, as SentencePiece has it.
inline constexpr std::string_view kSpaceSign = "\xE2\x96\x81";

// A carriage return within the line counts as a space (a vocabulary file could not hold it);
// malformed bytes become U+FFFD; lower-cased if asked for.
std::string prepare_line(std::string_view line, bool lower);

// The line in parts of at most `size` bytes (> 4), cut at spaces, which are left out there. Where
// `size` bytes hold no space the cut is between two code points. Views into `line`.
std::vector<std::string_view> cut_line(std::string_view line, size_t size);

}  // namespace heed
