// Attention weights of one sentence pair: one weight for each target and source token. Drawn in the
// terminal, as a picture and on a page with several maps (map_pictures.h).
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
  std::string rows = "target", columns = "source";  // names of the two sides
  std::string name{};  // name of the attention: "decoder layer 1, self-attention, head 2 of 4"
};

// Throws Error(kData), naming the map, if source or target is empty, if the weights have another
// shape, or if a weight is not finite. Called by every drawing function.
void check_map(const AttentionMap& map);

// The name, if there is one, and "rows: target tokens, columns: source tokens".
std::vector<std::string> caption_lines(const AttentionMap& map);

// Range of the color scale: from 0, or from the lowest weight if it is negative, to the highest
// weight.
struct WeightScale {
  double low = 0, high = 1;
  // Position of a weight between `low` and `high`, in [0, 1].
  double fraction(double weight) const;
};
WeightScale weight_scale(const AttentionMap& map);
// One scale for several maps, so that equal colors are equal weights.
WeightScale weight_scale(const std::vector<AttentionMap>& maps);

// Column of the highest weight in a row; the first of equal ones.
size_t strongest(const std::vector<double>& row);

// A token as a label: one line of well-formed text, cut to `width` terminal columns with … at the
// end. Control and direction characters become U+FFFD. ␣ stands for SentencePiece's mark of a
// space, and for spaces in a token of spaces; ∅ for the empty piece.
inline constexpr std::string_view kSpaceMark = "␣";
std::string label_of(const std::string& piece, size_t width);

}  // namespace heed
