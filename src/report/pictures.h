// Pictures in the formats that papers take, and the writing of them.
#pragma once

#include <string>
#include <vector>

namespace heed {

// A picture and the file that it is for.
struct Picture {
  std::string file, content;
};
// All of them or none.
void write_pictures(const std::vector<Picture>& pictures);

// Pixels of a PNG for each unit of its SVG: 1 where the user gives the width; else, for 0, 2, which
// is sharp in print.
double pixels_of_png(double width);

// The ending of a file in lower case, without the point: "pdf"; "" if there is none.
std::string ending_of(const std::string& path);

// An SVG as PDF or PNG, format "pdf" or "png", drawn by the program rsvg-convert. A unit of
// the SVG is a point of a PDF and `pixels` pixels of a PNG. Error(kFailure) if the program is not
// installed or fails; its message begins with `path`.
std::string convert_svg(const std::string& svg, const std::string& format, const std::string& path,
                        double pixels = 2);

}  // namespace heed
