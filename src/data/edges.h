// Edges between the words of a sentence, in a file parallel to its text. A line is `i-j …` with
// word positions from 0, where i sees j; an empty line is a sentence without edges.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/word_pairs.h"

namespace heed {

inline constexpr const char* kEdgesInput = "edges";  // name of this input beside the sources

using Edges = PiecePairs;  // (who sees, who is seen)

// Reads the edges of a line as edges between the pieces of its sentence `text`. Throws as
// read_word_pairs() does.
Edges read_edges(std::string_view line, std::string_view text,
                 const std::vector<std::string>& pieces, const Tokenizer& tokenizer,
                 const std::string& place);

}  // namespace heed
