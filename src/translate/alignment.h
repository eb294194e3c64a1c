// Word alignments from attention weights.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/codec.h"

namespace heed {

// Ranges of words without those of the language that a tokenizer puts before a text
// (Tokenizer::opening) or behind it (closing), whose attention weights are of no word. words: of the pieces.
PieceWords without_opening(PieceWords words, const std::vector<std::string>& pieces,
                           const Tokenizer& tokenizer);

// weights[t][s] of target pieces (and kEnd) over source pieces (and kEnd).
using AttentionMatrix = std::vector<std::vector<float>>;

// Pairs (source word, target word), from 0, one for each target word in order. The source word is
// the one with the largest sum of weights over the pieces of both; the first of equal ones. Ignores
// kEnd of source and target, and pieces outside words. Empty without attention or without source
// words.
using Alignment = std::vector<std::pair<int64_t, int64_t>>;
Alignment align_words(const AttentionMatrix& attention, const PieceWords& source_words,
                      const PieceWords& target_words);

// "0-0 2-1", the format of Pharaoh and Moses.
std::string pharaoh(const Alignment& alignment);

// The source of a sentence as text and as pieces, and the codecs of source and target.
struct PieceText {
  const Codec& source_codec;
  const Codec& target_codec;
  std::string_view source;
  const std::vector<std::string>& source_pieces;
  std::vector<std::string> behind = {};  // Copyable's, of a model that copies
};
// Replaces each unknown target piece by the source piece with the highest attention weight (Luong
// et al. 2015, "Addressing the rare word problem", without their dictionary). An unknown piece that
// is a word becomes the source word of that piece, unchanged. An unknown part of a word becomes the
// source piece, and so does a word if the source piece is part of several words. The language code
// that a source begins with is not used.
std::vector<std::string> replace_unknown(const PieceText& text, const Ids& target,
                                         const AttentionMatrix& attention);

}  // namespace heed
