// Learning curves as SVG, and as a page that shows the values nearest to the pointer. Neither refers
// to other files. Both throw Error(kData) as check_chart() says.
#pragma once

#include <string>

#include "report/curves.h"

namespace heed {

// An <svg> element: a file by itself, or a part of an HTML page. Runs have different colors, which a
// color-blind reader can tell apart, and different dashes; where no curve of a panel has many points,
// each is marked. Means have a band of their deviation.
std::string svg_curves(const CurveChart& chart);
// The same for html_curves(): each curve has its name and its values as data attributes.
std::string svg_curves_with_values(const CurveChart& chart);

// Light or dark as the browser asks; without JavaScript it shows the curves alone.
std::string html_curves(const std::string& title, const CurveChart& chart);

}  // namespace heed
