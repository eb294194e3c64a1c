// Tags of a source in its translation, by the attention weights between the two.
//
// Each element encloses one span of the translation, so that tags are balanced and nested, and each tag
// is there once. The span is the one that agrees with most weights: unit t of the translation counts
// p(t) - θ, p(t) being the share of its weights over the units inside the element of the source, and the
// span with the largest sum is found in one pass (Kadane's algorithm). A hard alignment and θ = 0.5 make
// it the span with the fewest words that are on the wrong side of a tag; the span from the first to the
// last aligned word (Hanneman and Dinu 2020; Zenkel et al. 2021), by contrast, follows each stray link.
// Inside an element its children are placed in the same way, the surest first.
//
// Before, each weight is multiplied by its share of the largest weight over the same source unit, since
// attention often looks at a word already when the one before its translation is written. Words that
// both texts have equally often, such as names and numbers, are linked to each other alone.
//
// θ is half of the largest p(t), as weights of several heads or models are spread. An element whose
// units have no weights stands empty behind the translation of its left neighbour or before that of the
// right one, and so does what has no text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "markup/marked_line.h"
#include "markup/text_units.h"

namespace heed {

// Weights [t][s] of target units over source units, not negative; rows of no weights are allowed.
using UnitWeights = std::vector<std::vector<float>>;

// The units of a block, which tags do not cross, and those of a translation.
std::vector<TextUnit> source_units(const MarkedBlock& block);
std::vector<TextUnit> target_units_of(std::string_view translation);

struct PlacedText {
  std::string text;                     // with tags
  std::vector<std::string> empty{};     // tags of elements with text whose translation is empty
  std::vector<std::string> guessed{};   // kept texts that were not in the translation
  std::vector<std::string> repeated{};  // kept texts that are in it more than once
};

// A translation with the tags and kept texts of its source. line: which characters are encoded.
PlacedText place_markup(const MarkedLine& line, const MarkedBlock& block,
                        const std::vector<TextUnit>& source, std::string_view target,
                        const std::vector<TextUnit>& target_units, UnitWeights weights);

}  // namespace heed
