// What is read of each sentence of a document, for documents whose words are too many to look at.
#pragma once

#include <optional>

#include "report/attention_map.h"
#include "text/tokenizer.h"

namespace heed {

// `words` has the pieces of a document, with kMarkerPiece between its sentences and kEnd behind
// them, for its source. A row a sentence, with its text, a column a target piece: the weights of
// the sentence's pieces summed. nullopt if there are not two sentences.
std::optional<AttentionMap> sentence_map(const AttentionMap& words, const Tokenizer& tokenizer);

}  // namespace heed
