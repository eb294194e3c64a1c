// The pieces of a SentencePiece model, and models with fewer of them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

struct SubwordPiece {
  // Numbers of ModelProto.SentencePiece.Type.
  enum class Type { kNormal = 1, kUnknown, kControl, kUserDefined, kUnused, kByte };
  std::string text;
  float score = 0;
  Type type = Type::kNormal;
};

// Pieces in the order of their ids. bytes: of a model that passed check_sentencepiece_model().
std::vector<SubwordPiece> sentencepiece_pieces(std::string_view bytes);

// True for a model of BPE, false for one of unigrams, words or characters.
bool merges_pairs(std::string_view bytes);

// Pieces that a smaller model needs for any text: user-defined symbols, bytes, and the pieces with the
// lowest and the highest score, which set the score of unknown characters in unigram models.
std::vector<std::string> needed_pieces(std::string_view bytes);

// The model without the pieces that `keeps` is false for. A text whose pieces are all kept has the same
// pieces: the best path of a unigram model is the best of fewer paths. BPE makes a piece of smaller ones,
// which stay as unused: they are merged, and never written. `keeps` has to be true for needed_pieces(); it
// is not asked about special pieces.
std::string trimmed_sentencepiece(std::string_view bytes,
                                  const std::function<bool(const std::string& piece)>& keeps);

}  // namespace heed
