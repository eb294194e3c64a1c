// Pictures in the formats that papers take.
#pragma once

#include <string>

namespace heed {

// The ending of a file in lower case, without the point: "pdf"; "" if there is none.
std::string ending_of(const std::string& path);

// An SVG as PDF or PNG, format "pdf" or "png", drawn by the program rsvg-convert. A unit of
// the SVG is a point of a PDF and `pixels` pixels of a PNG. Error(kFailure) if the program is not
// installed or fails; its message begins with `path`.
std::string convert_svg(const std::string& svg, const std::string& format, const std::string& path,
                        double pixels = 2);

}  // namespace heed
