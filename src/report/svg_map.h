// An attention map as a picture: target pieces are rows, source pieces columns, darker is more.
// Each visible cell tells its pieces and weight when pointed at. Nothing outside the text is needed
// to show it.
#pragma once

#include <string>

#include "report/attention_map.h"

namespace heed {

// An <svg> element: a file by itself, or a part of an HTML page. Error(kData) as check_map says.
std::string svg_map(const AttentionMap& map);

}  // namespace heed
