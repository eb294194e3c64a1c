// Token sequences of a phrase. They depend on its position: a SentencePiece model joins the space
// before a word to it, but perhaps not at the beginning or end of a text, nor in text without
// spaces.
#pragma once

#include <string>
#include <vector>

#include "text/codec.h"

namespace heed {

// The distinct token sequences of a phrase: alone, between other words, and inside text without
// spaces. Leaves out sequences with unknown tokens. phrase: well-formed UTF-8. alone: tokens of the
// phrase as a separate text.
std::vector<Ids> phrase_forms(const Codec& codec, const std::string& phrase, const Ids& alone);

}  // namespace heed
