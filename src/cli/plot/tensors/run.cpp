#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/descriptor.h"
#include "base/log.h"
#include "base/utf8.h"
#include "cli/plot/options.h"
#include "cli/plot/tensors/line_maps.h"
#include "cli/tensors/entry.h"
#include "report/map_pictures.h"
#include "report/pictures.h"

namespace heed {

namespace {

bool names_utf8(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr) return false;
  const std::string locale = lower_case(value);
  return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
}

// Page with every layer and head of the lines.
std::string page(const std::vector<LineMaps>& lines, const PlotAttentionOptions& options,
                 double width) {
  std::vector<AttentionMap> maps;
  for (const LineMaps& line : lines) std::ranges::copy(line.all, std::back_inserter(maps));
  std::string title = options.title.value_or("Attention weights of several lines");
  if (lines.size() == 1) title = lines.front().chosen.title;
  return html_maps(options.no_title ? "" : title, maps, lines.front().selected, width);
}

// Content of a file with this ending.
std::string picture(const std::string& path, const std::vector<LineMaps>& lines,
                    const PlotAttentionOptions& options) {
  const std::string ending = ending_of(path);
  const auto width = static_cast<double>(options.width.value_or(0));
  if (ending == "html") return page(lines, options, width);
  std::vector<AttentionMap> maps;
  for (const LineMaps& line : lines) maps.push_back(line.chosen);
  const std::string svg = maps.size() == 1 ? svg_map(maps.front(), weight_scale(maps), width)
                                           : svg_maps(maps, {options.title.value_or(""), width});
  return ending == "svg" ? svg : convert_svg(svg, ending, path, pixels_of_png(width));
}

TerminalStyle terminal_style(const PlotAttentionOptions& options) {
  TerminalStyle style;
  if (isatty(STDOUT_FILENO) == 1) {
    style.width = terminal_width(STDOUT_FILENO);
    style.colour = colour_allowed(STDOUT_FILENO);
    style.unicode = names_utf8("LC_ALL") || names_utf8("LC_CTYPE") || names_utf8("LANG");
  }
  if (options.width) style.width = static_cast<size_t>(*options.width);
  return style;
}

std::string terminal_maps(const std::vector<LineMaps>& lines, const PlotAttentionOptions& options) {
  const TerminalStyle style = terminal_style(options);
  std::string text;
  if (lines.size() > 1 && options.title) text = label_of(*options.title, style.width) + "\n\n";
  for (size_t i = 0; i < lines.size(); ++i)
    text += (i > 0 ? "\n" : "") + terminal_map(lines[i].chosen, style);
  return text;
}

int run_plot_attention(const PlotAttentionOptions& options) {
  const std::vector<LineMaps> lines = maps_of_lines(options);
  std::vector<Picture> pictures;
  for (const std::string& path : options.pictures)
    pictures.push_back({path, picture(path, lines, options)});
  if (pictures.empty()) pictures.push_back({"-", terminal_maps(lines, options)});
  write_pictures(pictures);
  return 0;
}

}  // namespace

}  // namespace heed

extern "C" int heed_plot_attention(const heed::PlotAttentionOptions& options) {
  return heed::run_tensor_command(
      [&] { return heed::run_plot_attention(options); },
      "drawing the attention of a line; a shorter one, or a smaller --beam, needs less");
}
