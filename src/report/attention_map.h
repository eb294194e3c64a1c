// Attention weights of one sentence pair: one weight for each target and source token. Drawn in the
// terminal (terminal_map.h), as a picture (svg_map.h) and on a page with several maps
// (html_maps.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

struct AttentionMap {
  std::string title;
  std::vector<std::string> source, target;
  std::vector<std::vector<double>> weights;         // [target][source]
  std::string rows = "target", columns = "source";  // what the two sides are called
  std::string name{};  // which attention it is of: "decoder layer 1, self-attention, head 2 of 4"
};

// Throws Error(kData), naming the map, if there is no source or target token, if the weights have
// another shape, or if one is not finite. Called by every drawing function.
void check_map(const AttentionMap& map);

// The name, if there is one, and "rows: target tokens, columns: source tokens".
std::vector<std::string> caption_lines(const AttentionMap& map);

// Range of the color scale: from 0, or the lowest weight if that is negative, to the highest
// weight.
struct WeightScale {
  double low = 0, high = 1;
  // Where a weight lies between them, in [0, 1].
  double fraction(double weight) const;
};
WeightScale weight_scale(const AttentionMap& map);
// One for several maps, so that equal colors are equal weights.
WeightScale weight_scale(const std::vector<AttentionMap>& maps);

// Column of the highest weight in a row; the first of several.
size_t strongest(const std::vector<double>& row);

// A token as a label: one line of well-formed text without control or direction characters (those
// become U+FFFD), ␣ for SentencePiece's mark of a space and for spaces where there is nothing else,
// ∅ for the empty piece, cut to `width` terminal columns with … at the end.
inline constexpr std::string_view kSpaceMark = "␣";
std::string label_of(const std::string& piece, size_t width);

}  // namespace heed
