// Edges between the words of a sentence, in a file parallel to its text: a line `i-j …` of word
// positions from 0, where i sees j; an empty line has none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/codec.h"

namespace heed {

inline constexpr const char* kEdgesInput = "edges";  // the name of what is read beside the sources

using Edges = std::vector<std::pair<int64_t, int64_t>>;  // (who sees, who is seen)

// The edges of a line between the pieces of its sentence `text`: an edge of words joins all pieces
// of the one with all of the other. Throws Error(kData), which begins with `place`, for what is no
// edge, for a word that the sentence does not have, and where the tokenizer sees other words than
// stand in the text, so that nobody could say which ones are meant.
Edges read_edges(std::string_view line, std::string_view text,
                 const std::vector<std::string>& pieces, const Tokenizer& tokenizer,
                 const std::string& place);

}  // namespace heed
