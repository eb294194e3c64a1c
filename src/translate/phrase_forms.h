// The tokens of a phrase depend on where it stands: a SentencePiece model writes the space of a word
// with it, but perhaps not at the beginning or the end of a text, nor in text without spaces.
#pragma once

#include <string>
#include <vector>

#include "text/codec.h"

namespace heed {

// The distinct token sequences of a phrase: alone, between other words, and inside text without spaces.
// Those with unknown tokens are left out. phrase: well-formed UTF-8; alone: its tokens as a text of its
// own.
std::vector<Ids> phrase_forms(const Codec& codec, const std::string& phrase, const Ids& alone);

}  // namespace heed
