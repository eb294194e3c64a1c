// Preparation of a line that all tokenizers share.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// Sign for a space inside a piece: U+2581, as in SentencePiece.
inline constexpr std::string_view kSpaceSign = "\xE2\x96\x81";

// Replaces a carriage return within the line by a space (a vocabulary file could not hold it) and
// malformed bytes by U+FFFD. Lower-cases the line if asked.
std::string prepare_line(std::string_view line, bool lower);

}  // namespace heed
