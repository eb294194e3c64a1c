// Edges between the words of a sentence, in a file parallel to its text: a line `i-j …` of word
// positions from 0, where i sees j; an empty line has none.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/word_pairs.h"

namespace heed {

inline constexpr const char* kEdgesInput = "edges";  // the name of what is read beside the sources

using Edges = PiecePairs;  // (who sees, who is seen)

// The edges of a line between the pieces of its sentence `text`. Throws what
// read_word_pairs() throws.
Edges read_edges(std::string_view line, std::string_view text,
                 const std::vector<std::string>& pieces, const Tokenizer& tokenizer,
                 const std::string& place);

}  // namespace heed
