// Text inside SVG and HTML.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// As content or inside a quoted attribute. What XML does not allow (malformed bytes, control
// characters, U+FFFE, U+FFFF) becomes U+FFFD.
std::string escape_markup(std::string_view text);

// Of a text in a sans-serif font, estimated, in units of the font size.
double text_width(std::string_view text, double font);

// The start tag of an <svg> element of this size in pixels, with a title (plain text) and a white
// background. shown_width: it is drawn this wide, and all of it in proportion; 0: in its own size.
std::string open_svg(double width, double height, double font, const std::string& title,
                     double shown_width = 0);

}  // namespace heed
