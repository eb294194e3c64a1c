// A page with learning curves that shows the values nearest to the pointer, light or dark as the
// browser asks. It refers to no other files; without JavaScript it shows the curves alone.
#pragma once

#include <string>

#include "report/curves.h"

namespace heed {

// Error(kData) as check_chart says.
std::string html_curves(const std::string& title, const CurveChart& chart);

}  // namespace heed
