// Text inside SVG and HTML, and pages of HTML that refer to no other files.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// Escapes text for content or a quoted attribute. Malformed bytes and characters that XML does not
// allow (control characters, U+FFFE, U+FFFF) become U+FFFD.
std::string escape_markup(std::string_view text);

// Estimated width of text in a sans-serif font, in the unit of the font size `font`.
double text_width(std::string_view text, double font);

// The start tag of an <svg> element of this size in pixels, with a title (plain text) and a white
// background. shown_width: scales the drawing to this width; 0: original size.
std::string open_svg(double width, double height, double font, const std::string& title,
                     double shown_width = 0);

// A page of HTML. title: plain text, also the heading; "": a page without a heading. Style, body and script as they
// stand.
std::string html_page(const std::string& title, const std::string& style, const std::string& body,
                      const std::string& script);

}  // namespace heed
