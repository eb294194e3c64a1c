// Writing of pictures.
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

}  // namespace heed
