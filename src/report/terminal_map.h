// An attention map as text: a line for each target token, two terminal columns for each source token,
// whose letters are above it from top to bottom. If there is room, each line ends with the source
// token of the highest weight.
#pragma once

#include <cstddef>
#include <string>

#include "report/attention_map.h"

namespace heed {

struct TerminalStyle {
  size_t width =
      80;  // columns of the terminal; where the source does not fit, the map continues below
  bool colour = false;  // 256 colours
  bool unicode = true;  // shades ░▒▓█; otherwise ASCII for the drawing, the pieces as they are
};

// Ends with a line feed. Error(kData) as check_map says.
std::string terminal_map(const AttentionMap& map, const TerminalStyle& style = {});

}  // namespace heed
