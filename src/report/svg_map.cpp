#include "report/map_pictures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/utf8.h"
#include "report/markup.h"

namespace heed {

namespace {

// All in pixels.
constexpr double kMargin = 14, kTitleHeight = 30, kGap = 6, kLegendHeight = 86;
constexpr double kLegendWidth = 160, kLegendBar = 10, kCaptionFont = 11, kCaptionLine = 15,
                 kTick = 4;
constexpr double kWidestGrid = 1100, kLargestCell = 26, kSmallestCell = 10;
constexpr double kTitleFont = 15;
constexpr size_t kWidestLabel = 32;   // terminal columns
constexpr size_t kTitleColumns = 64;  // room of a title; more where the picture is wider
constexpr double kAngle = 60;         // of the source labels, degrees
constexpr double kFaintest = 0.004;   // a cell below this fraction of the scale is left white

struct Colour {
  double red, green, blue;
};
using Colours = std::array<Colour, 5>;
constexpr Colours kColours = {
    {{255, 255, 255}, {198, 219, 239}, {107, 174, 214}, {33, 113, 181}, {8, 48, 107}}};
// The first color is the background of dark pages.
constexpr Colours kDarkColours = {
    {{24, 26, 27}, {22, 62, 107}, {38, 117, 184}, {116, 180, 219}, {230, 241, 250}}};
constexpr int kLevels = 40;  // of the colors that a page can change, and steps of the legend

std::string colour_at(double fraction, const Colours& colours = kColours) {
  const double at = fraction * (colours.size() - 1);
  const size_t below = std::min(static_cast<size_t>(at), colours.size() - 2);
  const double t = at - static_cast<double>(below);
  const auto mix = [t](double a, double b) {
    return static_cast<int>(std::lround(a + t * (b - a)));
  };
  const Colour &a = colours[below], &b = colours[below + 1];
  return fmt::format("#{:02x}{:02x}{:02x}", mix(a.red, b.red), mix(a.green, b.green),
                     mix(a.blue, b.blue));
}

// Color of a cell, and a class for pages with other colors.
std::string fill_of(double fraction) {
  return fmt::format("class=\"w{}\" fill=\"{}\"", std::lround(fraction * kLevels),
                     colour_at(fraction));
}

struct SvgLayout {
  double cell = 0, font = 0;
  double left = 0, top = 0;  // of the grid
  double grid_width = 0, grid_height = 0;
  double width = 0, height = 0;  // of the picture
  std::vector<std::string> source, target;
};

// A title, cut where a picture of this width ends.
std::string title_in(double width, const std::string& title) {
  if (title.empty()) return {};
  const double columns = (width - 2 * kMargin) / text_width("x", kTitleFont);
  return label_of(title, std::max(kTitleColumns, static_cast<size_t>(columns)));
}

double title_width(const std::string& title) { return text_width(title, kTitleFont) + 2 * kMargin; }

SvgLayout lay_out(const AttentionMap& map) {
  SvgLayout layout;
  for (const auto& piece : map.source) layout.source.push_back(label_of(piece, kWidestLabel));
  for (const auto& piece : map.target) layout.target.push_back(label_of(piece, kWidestLabel));
  const auto most = static_cast<double>(std::max(map.source.size(), map.target.size()));
  layout.cell = std::clamp(std::floor(kWidestGrid / most), kSmallestCell, kLargestCell);
  layout.font = std::clamp(layout.cell * 0.6, 9.0, 14.0);
  layout.grid_width = layout.cell * static_cast<double>(map.source.size());
  layout.grid_height = layout.cell * static_cast<double>(map.target.size());

  const double radians = kAngle * std::numbers::pi / 180;
  double rise = 0, right = layout.grid_width;
  for (size_t s = 0; s < layout.source.size(); ++s) {
    const double length = text_width(layout.source[s], layout.font);
    rise = std::max(rise, length * std::sin(radians) + layout.font);
    right = std::max(right, layout.cell * (static_cast<double>(s) + 0.5) +
                                length * std::cos(radians) + layout.font);
  }
  double left = 0;
  for (const auto& label : layout.target) left = std::max(left, text_width(label, layout.font));
  layout.left = kMargin + left + kGap;
  layout.top = kMargin + (map.title.empty() ? 0 : kTitleHeight) + rise + kGap;
  double caption = 0;
  for (const std::string& line : caption_lines(map))
    caption = std::max(caption, text_width(line, kCaptionFont));
  layout.width =
      std::max(layout.left + std::max(right, kLegendWidth) + kMargin, caption + 2 * kMargin);
  layout.height = layout.top + layout.grid_height + kLegendHeight + kMargin;
  return layout;
}

std::string title_line(const std::string& title) {
  if (title.empty()) return "";
  return fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" font-weight=\"bold\">{}</text>\n",
                     kMargin, kMargin + 14, kTitleFont, escape_markup(title));
}

// A label, with the mark of a space in light grey.
std::string marked(const std::string& label) {
  std::string text = escape_markup(label);
  for (size_t at = text.find(kSpaceMark); at != std::string::npos; at = text.find(kSpaceMark, at)) {
    constexpr std::string_view kDrawn =
        "<tspan class=\"mark\" fill=\"#bbb\" font-size=\"70%\">␣</tspan>";
    text.replace(at, kSpaceMark.size(), kDrawn);
    at += kDrawn.size();
  }
  return text;
}

// The columns' labels begin above the middle of their cells, where a tick leads to them; the rows'
// end beside them.
std::string labels(const SvgLayout& layout) {
  std::string text = "<g>\n", ticks;
  for (size_t s = 0; s < layout.source.size(); ++s) {
    const double middle = layout.left + layout.cell * (static_cast<double>(s) + 0.5);
    ticks += fmt::format("M{:.1f},{:.1f}v-{}", middle, layout.top, kTick);
    // The mark of a space is not the letter that a reader looks for.
    const double mark = layout.source[s].starts_with(kSpaceMark) ? layout.font * 0.3 : 0;
    const double x = middle + layout.font * 0.2 - mark;
    text += fmt::format("<text transform=\"translate({:.1f},{:.1f}) rotate(-{})\">{}</text>\n", x,
                        layout.top - kGap, kAngle, marked(layout.source[s]));
  }
  text += fmt::format(
      "</g>\n<path class=\"tick\" d=\"{}\" stroke=\"#999\" stroke-width=\"0.8\"/>\n", ticks);
  text += "<g text-anchor=\"end\">\n";
  for (size_t t = 0; t < layout.target.size(); ++t) {
    const double y = layout.top + layout.cell * (static_cast<double>(t) + 0.5) + layout.font * 0.35;
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", layout.left - kGap, y,
                        marked(layout.target[t]));
  }
  return text + "</g>\n";
}

// One path for the lines of the grid, then a rectangle for each weight that can be seen.
std::string grid(const AttentionMap& map, const SvgLayout& layout, const WeightScale& scale) {
  std::string path;
  for (size_t s = 0; s <= map.source.size(); ++s) {
    path +=
        fmt::format("M{:.1f},0v{:.1f}", layout.cell * static_cast<double>(s), layout.grid_height);
  }
  for (size_t t = 0; t <= map.target.size(); ++t) {
    path +=
        fmt::format("M0,{:.1f}h{:.1f}", layout.cell * static_cast<double>(t), layout.grid_width);
  }
  std::string text =
      fmt::format("<g transform=\"translate({:.1f},{:.1f})\">\n", layout.left, layout.top);
  for (size_t t = 0; t < map.target.size(); ++t) {
    for (size_t s = 0; s < map.source.size(); ++s) {
      const double fraction = scale.fraction(map.weights[t][s]);
      if (fraction < kFaintest) continue;
      text += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
          "{}><title>{} ← {}: {:.3f}</title></rect>\n",
          layout.cell * static_cast<double>(s), layout.cell * static_cast<double>(t), layout.cell,
          layout.cell, fill_of(fraction), escape_markup(layout.target[t]),
          escape_markup(layout.source[s]), map.weights[t][s]);
    }
  }
  return text + fmt::format(
                    "<path class=\"grid\" d=\"{}\" stroke=\"#ddd\" stroke-width=\"0.6\" "
                    "fill=\"none\"/>\n</g>\n",
                    path);
}

std::string legend(const AttentionMap& map, const SvgLayout& layout, const WeightScale& scale) {
  const double step = kLegendWidth / kLevels;
  std::string text = fmt::format("<g transform=\"translate({:.1f},{:.1f})\" font-size=\"11\">\n",
                                 layout.left, layout.top + layout.grid_height + 20);
  for (int i = 0; i < kLevels; ++i) {
    text += fmt::format("<rect x=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" {}/>\n", i * step,
                        step + 0.3, kLegendBar, fill_of((i + 0.5) / kLevels));
  }
  text += fmt::format(
      "<rect class=\"frame\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#bbb\" "
      "stroke-width=\"0.6\"/>\n",
      kLegendWidth, kLegendBar);
  const double y = kLegendBar + 14;
  text += fmt::format("<text y=\"{}\">{:.2g}</text>\n", y, scale.low);
  text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">weight</text>\n",
                      kLegendWidth / 2, y);
  text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{:.2f}</text>\n", kLegendWidth,
                      y, scale.high);
  text += "</g>\n";
  const auto lines = caption_lines(map);
  for (size_t i = 0; i < lines.size(); ++i) {
    const double above = kCaptionLine * static_cast<double>(lines.size() - 1 - i);
    text += fmt::format(
        "<text class=\"quiet\" x=\"{}\" y=\"{:.1f}\" font-size=\"{}\" fill=\"#555\">{}</text>\n",
        kMargin, layout.height - kMargin - above, kCaptionFont, escape_markup(lines[i]));
  }
  return text;
}

// title: that of the map, as it is drawn.
std::string contents(const AttentionMap& map, const SvgLayout& layout, const WeightScale& scale,
                     const std::string& title) {
  return title_line(title) + labels(layout) + grid(map, layout, scale) + legend(map, layout, scale);
}

std::string name_of_picture(const std::string& title) {
  return title.empty() ? "attention" : label_of(title, kTitleColumns);
}

}  // namespace

std::string svg_map(const AttentionMap& map) {
  check_map(map);
  return svg_map(map, weight_scale(map));
}

std::string svg_map(const AttentionMap& map, const WeightScale& scale, double width) {
  check_map(map);
  const SvgLayout layout = lay_out(map);
  const std::string title = title_in(layout.width, map.title);
  return open_svg(std::max(layout.width, title_width(title)), layout.height, layout.font,
                  name_of_picture(map.title), width) +
         contents(map, layout, scale, title) + "</svg>\n";
}

std::string svg_maps(const std::vector<AttentionMap>& maps, const PictureStyle& style) {
  for (const AttentionMap& map : maps) check_map(map);
  const WeightScale scale = weight_scale(maps);
  std::vector<SvgLayout> layouts;
  double room = 0;  // of the titles
  for (const AttentionMap& map : maps) {
    layouts.push_back(lay_out(map));
    room = std::max(room, layouts.back().width);
  }
  const std::string above = title_in(room, style.title);
  double width = std::max(room, title_width(above));
  double height = style.title.empty() ? 0 : kTitleHeight;
  std::string drawn = title_line(above);
  for (size_t i = 0; i < maps.size(); ++i) {
    const SvgLayout& layout = layouts[i];
    const std::string title = title_in(room, maps[i].title);
    drawn += fmt::format("<g transform=\"translate(0,{:.1f})\" font-size=\"{:.1f}\">\n{}</g>\n",
                         height, layout.font, contents(maps[i], layout, scale, title));
    width = std::max(width, title_width(title));
    height += layout.height;
  }
  return open_svg(width, height, kCaptionFont, name_of_picture(style.title), style.width) + drawn +
         "</svg>\n";
}

std::string dark_map_style() {
  std::string rules;
  for (int level = 0; level <= kLevels; ++level)
    rules += fmt::format(".w{} {{ fill: {}; }}\n", level,
                         colour_at(static_cast<double>(level) / kLevels, kDarkColours));
  return rules;
}

}  // namespace heed
