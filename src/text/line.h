// What every tokenizer does to a line before it looks at it.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// How a space is shown inside a piece: U+2581, as SentencePiece has it.
inline constexpr std::string_view kSpaceSign = "\xE2\x96\x81";

// A carriage return within the line counts as a space (a vocabulary file could not hold it);
// malformed bytes become U+FFFD; lower-cased if asked for.
std::string prepare_line(std::string_view line, bool lower);

}  // namespace heed
