#include "report/map_pictures.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/utf8.h"

namespace heed {

namespace {

constexpr size_t kCell = 2;      // columns of a source piece
constexpr size_t kTallest = 14;  // lines of a source piece
constexpr size_t kWidestTarget = 24, kWidestStrongest = 16;
constexpr size_t kFewestPieces = 4;  // in a panel, however narrow the terminal is

using Shades = std::vector<std::string>;

// Cells from the lowest to the highest weight.
const Shades& shades_of(const TerminalStyle& style) {
  static const Shades ascii = {"  ", "..", "::", "++", "##", "@@"};
  static const Shades blocks = {"· ", "░░", "▒▒", "▓▓", "██"};
  static const Shades colours = [] {
    Shades list;
    for (const int colour : {235, 17, 18, 54, 90, 126, 162, 203, 209, 215, 221, 229}) {
      list.push_back(fmt::format("\x1b[48;5;{}m  \x1b[0m", colour));
    }
    return list;
  }();
  return style.colour ? colours : style.unicode ? blocks : ascii;
}

const std::string& shade(const Shades& shades, double fraction) {
  return shades[static_cast<size_t>(
      std::lround(fraction * static_cast<double>(shades.size() - 1)))];
}

std::string pad_left(const std::string& text, size_t width) {
  return std::string(width - std::min(width, display_width(text)), ' ') + text;
}
std::string pad_right(const std::string& text, size_t width) {
  return text + std::string(width - std::min(width, display_width(text)), ' ');
}

// The letters of a label; combining marks stay with their letter.
std::vector<std::string> letters_of(const std::string& label) {
  std::vector<std::string> letters;
  for (const auto character : code_points(label)) {
    if (letters.empty() || display_width(character) > 0) letters.emplace_back();
    letters.back() += character;
  }
  if (letters.size() > kTallest) {
    letters.resize(kTallest);
    letters.back() = "…";
  }
  return letters;
}

std::vector<std::string> labels_of(const std::vector<std::string>& pieces, size_t width) {
  std::vector<std::string> labels;
  for (const auto& piece : pieces) labels.push_back(label_of(piece, width));
  return labels;
}

size_t widest(const std::vector<std::string>& labels) {
  size_t width = 0;
  for (const auto& label : labels) width = std::max(width, display_width(label));
  return width;
}

// Draws the marks of spaces in grey, so that words are easy to see.
std::string with_faint_marks(std::string text) {
  const std::string drawn = fmt::format("\x1b[90m{}\x1b[0m", kSpaceMark);
  for (size_t at = text.find(kSpaceMark); at != std::string::npos;
       at = text.find(kSpaceMark, at + drawn.size()))
    text.replace(at, kSpaceMark.size(), drawn);
  return text;
}

void trim_right(std::string& line) { line.erase(line.find_last_not_of(' ') + 1); }

// Layout of a line: [target label] [cells of one panel] [strongest piece].
struct TerminalLayout {
  std::vector<std::string> target;
  size_t target_width = 0, pieces = 0;  // source pieces of a panel
  bool strongest = false;
  WeightScale scale;
};

TerminalLayout lay_out(const AttentionMap& map, size_t width) {
  TerminalLayout layout;
  layout.scale = weight_scale(map);
  // Few columns leave more room for the labels of the rows.
  const size_t beside = map.source.size() * kCell + kWidestStrongest + 9;
  layout.target = labels_of(map.target, std::max(std::clamp<size_t>(width / 3, 4, kWidestTarget),
                                                 width - std::min(width, beside)));
  layout.target_width = widest(layout.target) + 1;
  const size_t room = width > layout.target_width ? (width - layout.target_width) / kCell : 0;
  layout.pieces = std::clamp(room, std::min(kFewestPieces, map.source.size()), map.source.size());
  const size_t weight_width = 7;  // " x 0.12"
  const size_t name_width = widest(labels_of(map.source, kWidestStrongest));
  layout.strongest =
      layout.target_width + map.source.size() * kCell + name_width + weight_width <= width;
  return layout;
}

std::string head(const AttentionMap& map, const TerminalLayout& layout, size_t first, size_t last) {
  std::vector<std::vector<std::string>> columns;
  size_t height = 0;
  for (size_t s = first; s < last; ++s) {
    columns.push_back(letters_of(label_of(map.source[s], 2 * kTallest + 2)));
    height = std::max(height, columns.back().size());
  }
  std::string text;
  for (size_t y = 0; y < height; ++y) {
    std::string line(layout.target_width, ' ');
    for (const auto& letters : columns) {
      const size_t above = height - letters.size();
      line += pad_right(y < above ? "" : letters[y - above], kCell);
    }
    trim_right(line);
    text += line + "\n";
  }
  return text;
}

std::string row(const AttentionMap& map, const TerminalLayout& layout, const Shades& shades,
                size_t t, size_t first, size_t last) {
  std::string line = pad_left(layout.target[t], layout.target_width - 1) + " ";
  for (size_t s = first; s < last; ++s)
    line += shade(shades, layout.scale.fraction(map.weights[t][s]));
  if (layout.strongest) {
    const size_t best = strongest(map.weights[t]);
    line += fmt::format(" {} {:.2f}", label_of(map.source[best], kWidestStrongest),
                        map.weights[t][best]);
  }
  trim_right(line);
  return line + "\n";
}

// Color scale below the cells, or further left if the terminal is too narrow.
std::string legend(const TerminalLayout& layout, const Shades& shades, size_t width) {
  const std::string low = fmt::format("{:.2g} ", layout.scale.low);
  const std::string high = fmt::format(" {:.2f}\n", layout.scale.high);
  const size_t needed = low.size() + shades.size() * kCell + high.size() - 1;
  std::string line(std::min(layout.target_width, width - std::min(width, needed)), ' ');
  line += low;
  for (const auto& each : shades) line += each;
  return line + high;
}

}  // namespace

std::string terminal_map(const AttentionMap& map, const TerminalStyle& style) {
  check_map(map);
  const TerminalLayout layout = lay_out(map, style.width);
  const Shades& shades = shades_of(style);
  std::string text;
  if (!map.title.empty())
    text += label_of(map.title, std::max<size_t>(style.width, kWidestTarget)) + "\n";
  for (size_t first = 0; first < map.source.size(); first += layout.pieces) {
    const size_t last = std::min(first + layout.pieces, map.source.size());
    text += head(map, layout, first, last);
    for (size_t t = 0; t < map.target.size(); ++t) text += row(map, layout, shades, t, first, last);
  }
  text += legend(layout, shades, style.width);
  for (const std::string& line : caption_lines(map)) text += label_of(line, style.width) + "\n";
  return style.colour ? with_faint_marks(std::move(text)) : text;
}

}  // namespace heed
