// The word alignment of a sentence pair, in a file parallel to its text, in the format of Pharaoh: a
// line `i-j …` links word i of the source with word j of the target, from 0; an empty line has no
// links.
#pragma once

#include <string>
#include <string_view>

#include "data/word_pairs.h"

namespace heed {

// The links of a line between pieces of the source and of the target. Throws what
// read_word_pairs() throws.
PiecePairs read_word_alignment(std::string_view line, const SentenceText& source,
                               const SentenceText& target, const std::string& place);

}  // namespace heed
