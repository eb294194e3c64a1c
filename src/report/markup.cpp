#include "report/markup.h"

#include <cmath>

#include "base/error.h"
#include "base/utf8.h"

namespace heed {

namespace {

bool is_forbidden(std::string_view character) {
  if (character == "\uFFFE" || character == "\uFFFF") return true;
  const auto byte = static_cast<unsigned char>(character[0]);
  return byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string result;
  const std::string whole = replace_malformed(text);
  for (const auto character : code_points(whole)) {
    if (character == "&") {
      result += "&amp;";
    } else if (character == "<") {
      result += "&lt;";
    } else if (character == ">") {
      result += "&gt;";
    } else if (character == "\"") {
      result += "&quot;";
    } else if (character == "'") {
      result += "&#39;";
    } else {
      result += is_forbidden(character) ? "\uFFFD" : character;
    }
  }
  return result;
}

double text_width(std::string_view text, double font) {
  constexpr double kColumnWidth = 0.62;  // of a letter
  return static_cast<double>(display_width(text)) * kColumnWidth * font;
}

std::string open_svg(double width, double height, double font, const std::string& title,
                     double shown_width) {
  const double scale = shown_width > 0 ? shown_width / std::ceil(width) : 1;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{2:.0f}\" "
      "height=\"{3:.0f}\" role=\"img\" "
      "font-family=\"'DejaVu Sans','Noto Sans','Segoe UI',Arial,sans-serif\" font-size=\"{4:.1f}\" "
      "fill=\"#222\">\n"
      "<title>{5}</title>\n<rect class=\"background\" width=\"100%\" height=\"100%\" "
      "fill=\"#fff\"/>\n",
      std::ceil(width), std::ceil(height), scale * std::ceil(width), scale * std::ceil(height),
      font, escape_markup(title));
}

}  // namespace heed
