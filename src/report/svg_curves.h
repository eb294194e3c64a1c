// Learning curves as SVG. Runs have different colors, which a color-blind reader can tell apart,
// and different dashes; where no curve of a panel has many points, each is marked. Means have a band
// of their deviation. The picture refers to no other files.
#pragma once

#include <string>

#include "report/curves.h"

namespace heed {

// An <svg> element: a file by itself, or a part of an HTML page. Error(kData) as check_chart says.
std::string svg_curves(const CurveChart& chart);
// The same for html_curves(): each curve has its name and its values as data attributes.
std::string svg_curves_with_values(const CurveChart& chart);

}  // namespace heed
