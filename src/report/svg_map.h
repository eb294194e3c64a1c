// An attention map as SVG: rows are target tokens, columns source tokens, darker is a higher weight.
// The tooltip of a cell has its tokens and weight. The picture refers to no other files.
#pragma once

#include <string>
#include <vector>

#include "report/attention_map.h"

namespace heed {

struct PictureStyle {
  std::string title{};  // above all; "": none
  double width = 0;     // in pixels, the height in proportion; 0: as large as the labels need it
};

// An <svg> element: a file by itself, or a part of an HTML page. Error(kData) as check_map says.
std::string svg_map(const AttentionMap& map);
// In the colors of a given scale.
std::string svg_map(const AttentionMap& map, const WeightScale& scale, double width = 0);
// Several below each other in one <svg> element, in the colors of one scale.
std::string svg_maps(const std::vector<AttentionMap>& maps, const PictureStyle& style);

// Rules of CSS for maps on a dark page: lighter is a higher weight.
std::string dark_map_style();

}  // namespace heed
