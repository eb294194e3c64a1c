// Attention maps as text, as SVG, and as a page. Rows are target tokens, columns source tokens. None
// refers to other files. All throw Error(kData) as check_map() says.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/attention_map.h"

namespace heed {

struct TerminalStyle {
  size_t width = 80;    // columns; where the source does not fit, the map continues below
  bool colour = false;  // 256 colours
  bool unicode = true;  // shades ░▒▓█; otherwise ASCII for the drawing, the pieces as they are
};

// Text: a line for each target token, two terminal columns for each source token, whose letters are
// above it from top to bottom. If there is room, each line ends with the source token of the highest
// weight. Ends with a line feed.
std::string terminal_map(const AttentionMap& map, const TerminalStyle& style = {});

struct PictureStyle {
  std::string title{};  // above all; "": none
  double width = 0;     // in pixels, the height in proportion; 0: as large as the labels need it
};

// An <svg> element: a file by itself, or a part of an HTML page. Darker is a higher weight. The
// tooltip of a cell has its tokens and weight.
std::string svg_map(const AttentionMap& map);
// In the colors of a given scale.
std::string svg_map(const AttentionMap& map, const WeightScale& scale, double width = 0);
// Several below each other in one <svg> element, in the colors of one scale.
std::string svg_maps(const std::vector<AttentionMap>& maps, const PictureStyle& style);

// Rules of CSS for maps on a dark page: lighter is a higher weight.
std::string dark_map_style();

// A page with several maps (layers, heads) and a list to choose from: one map at a time or all side
// by side, light or dark as the browser asks. Without JavaScript it shows all maps.
// The maps are listed by their names, else by their titles or numbers; all have one color scale.
// selected: the index of the one that is shown first. width: of each map in pixels; 0: its own.
// Error(kData) without a map.
std::string html_maps(const std::string& title, const std::vector<AttentionMap>& maps,
                      size_t selected = 0, double width = 0);

}  // namespace heed
