// Attention per sentence of a document, for documents with too many words for a map.
#pragma once

#include <optional>

#include "report/attention_map.h"
#include "text/tokenizer.h"

namespace heed {

// The map has a row for each sentence, labelled with its text, and a column for each target piece.
// A weight is the sum over the pieces of the sentence. words: the source is the pieces of a
// document, with kMarkerPiece between sentences and kEnd at the end. nullopt for fewer than two
// sentences.
std::optional<AttentionMap> sentence_map(const AttentionMap& words, const Tokenizer& tokenizer);

}  // namespace heed
