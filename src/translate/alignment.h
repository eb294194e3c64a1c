// Word alignments from attention weights.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "text/codec.h"

namespace heed {

// weights[t][s] of target pieces (and kEnd) over source pieces (and kEnd).
using AttentionMatrix = std::vector<std::vector<float>>;

// (source word, target word), from 0, one pair for each target word in its order: the source word
// with the greatest sum of weights, over the pieces of both; kEnd of source and target and pieces
// that are in no word (kNoWord) are ignored.
// Empty if there is no attention or no source word.
using Alignment = std::vector<std::pair<int64_t, int64_t>>;
Alignment align_words(const AttentionMatrix& attention, const std::vector<int64_t>& source_words,
                      const std::vector<int64_t>& target_words);

// "0-0 2-1": the format of Pharaoh and Moses.
std::string pharaoh(const Alignment& alignment);

// The source of a sentence as pieces, and the codecs of source and target.
struct PieceText {
  const Codec& source_codec;
  const Codec& target_codec;
  const std::vector<std::string>& source_pieces;
  std::vector<std::string> behind = {};  // Copyable's, of a model that copies
};
// The target's pieces with each unknown one replaced: by the source word that it attends to most if
// it is a word of its own, else by the source piece (Luong et al. 2015, "Addressing the rare word
// problem", without their dictionary).
std::vector<std::string> replace_unknown(const PieceText& text, const Ids& target,
                                         const AttentionMatrix& attention);

}  // namespace heed
