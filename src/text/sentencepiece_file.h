// Checks that a SentencePiece model is complete. SentencePiece itself loads a truncated BPE model
// and gives other ids, overflows its stack on a piece of more than 100 KB, and reads beyond a
// damaged normaliser table, so it only gets models that passed this check.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace heed {

// True if the first bytes of a file are those of a SentencePiece model, complete or not. Throws
// IoError.
bool begins_as_sentencepiece_model(const std::filesystem::path& path);

// Throws Error(kModel), naming `name`, unless the bytes are a protocol-buffer message with at least
// one piece, pieces of at most 10,000 bytes, the settings of trainer and normalizer, which follow
// the pieces, and a normaliser table whose offsets are within it. Other changed bytes are not
// detected: that takes a hash.
void check_sentencepiece_model(std::string_view bytes, const std::string& name);

// True if the space of a word is at the end of its last piece (treat_whitespace_as_suffix). The
// bytes must be those of a model that passed the check.
bool has_space_as_suffix(std::string_view bytes);

// The model, which passed the check, with these pieces, whose ids are their order. </s> ends a sentence;
// other pieces that the model lacks are there, but never found in a text.
std::string sentencepiece_in_order(std::string_view bytes, const std::vector<std::string>& pieces);

}  // namespace heed
