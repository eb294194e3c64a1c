// The codecs of all source and target sides: made for a training run, saved in a model folder,
// loaded from it.
//
// In the folder lies for each side that does not share another's: SIDE.vocabulary, and what its
// tokenizer needs (SIDE.model for SentencePiece); of text in scripts without spaces between words,
// SIDE.words, which says how its words are written (word_unit.h).
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "text/codec.h"
#include "text/text_config.h"

namespace heed {

using Codecs = std::map<std::string, std::shared_ptr<const Codec>>;  // by side

// `lines` has the training text of each side; a side that is shared is learned from the text of
// all that share it. Sides that share have the same Codec. Coverage below 100% is logged. Paths in
// `text` must be resolved. A vocabulary that is counted begins with that of the side in `former`, if
// there is one. Throws what TokenizerConfig::make and Vocabulary throw.
Codecs build_codecs(const TextConfigs& text, const std::map<std::string, LineSource>& lines,
                    uint64_t seed, const Codecs& former = {});

void save_codecs(const std::filesystem::path& folder, const TextConfigs& text,
                 const Codecs& codecs);

// Throws Error(kModel) that names the file and what is wrong with it.
Codecs load_codecs(const std::filesystem::path& folder, const TextConfigs& text);

// The codec of labels, such as parts of speech: the words between spaces, each with an id of its
// own. Its vocabulary begins with that of `former`, if given.
std::shared_ptr<const Codec> build_label_codec(const LineSource& lines,
                                               const Codec* former = nullptr);
// In the folder lies NAME.vocabulary for each.
void save_label_codecs(const std::filesystem::path& folder, const std::vector<std::string>& names,
                       const Codecs& codecs);
Codecs load_label_codecs(const std::filesystem::path& folder,
                         const std::vector<std::string>& names);

}  // namespace heed
