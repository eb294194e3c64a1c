// Widths of pictures as their files have them.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace heed {

inline bool has_rsvg_convert() { return std::system("command -v rsvg-convert > /dev/null") == 0; }

// Width in pixels.
inline int png_width(const std::string& png) {
  constexpr size_t kWidth = 16;  // four bytes, the highest first
  int width = 0;
  for (size_t i = kWidth; i < kWidth + 4; ++i)
    width = 256 * width + static_cast<unsigned char>(png.at(i));
  return width;
}

// Width of the page in points.
inline double pdf_width(const std::string& pdf) {
  double width = 0;
  const size_t box = pdf.find("/MediaBox");
  if (box != std::string::npos) std::sscanf(pdf.c_str() + box, "/MediaBox [ 0 0 %lf", &width);
  return width;
}

}  // namespace heed
