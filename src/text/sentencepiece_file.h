// Is this a whole SentencePiece model? SentencePiece itself loads a truncated BPE model and gives
// other ids, overflows its stack on a piece of more than 100 KB, and reads beyond a damaged
// normaliser table, so it sees only what has passed here.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace heed {

// True if a file is a SentencePiece model by its first bytes, whole or not. Throws IoError.
bool begins_as_sentencepiece_model(const std::filesystem::path& path);

// Throws Error(kModel), naming `name`, unless the bytes are a protocol-buffer message with at least
// one piece, each of at most 10,000 bytes, and with the settings of trainer and normalizer, which
// stand behind the pieces; the offsets of the normaliser's table lie within it. Bytes changed in between are not noticed: that takes a hash.
void check_sentencepiece_model(std::string_view bytes, const std::string& name);

// True if the pieces have the space of a word at their end (treat_whitespace_as_suffix). The bytes have
// to be those of a model that passed the check.
bool has_space_as_suffix(std::string_view bytes);

}  // namespace heed
