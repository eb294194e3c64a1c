// An attention map as SVG: rows are target tokens, columns source tokens, darker is a higher weight.
// The tooltip of a cell has its tokens and weight. The picture refers to no other files.
#pragma once

#include <string>

#include "report/attention_map.h"

namespace heed {

// An <svg> element: a file by itself, or a part of an HTML page. Error(kData) as check_map says.
std::string svg_map(const AttentionMap& map);
// In the colors of a given scale.
std::string svg_map(const AttentionMap& map, const WeightScale& scale);

}  // namespace heed
