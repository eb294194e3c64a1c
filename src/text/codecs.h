// Codecs of all source and target sides: made for a training run, saved in a model folder and
// loaded from it.
//
// A folder holds SIDE.vocabulary for each side that does not share another's, and the files of its
// tokenizer (SIDE.model for SentencePiece). For text in scripts without spaces between words it
// also holds SIDE.words, which tells how the words are written (word_unit.h).
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

// lines: training text of each side. A shared tokenizer is learned from the text of all sides that
// share it, and these sides have the same Codec. Coverage below 100% is logged. Paths in `text`
// must be resolved. A counted vocabulary begins with that of the side in `former`, if there is one.
// Throws as TokenizerConfig::make and Vocabulary do.
Codecs build_codecs(const TextConfigs& text, const std::map<std::string, LineSource>& lines,
                    uint64_t seed, const Codecs& former = {});

void save_codecs(const std::filesystem::path& folder, const TextConfigs& text,
                 const Codecs& codecs);

// Throws Error(kModel) that names the file and its fault.
Codecs load_codecs(const std::filesystem::path& folder, const TextConfigs& text);

// Makes the codec of labels, such as parts of speech: the words between spaces, one id for each.
// Its vocabulary begins with that of `former`, if given.
std::shared_ptr<const Codec> build_label_codec(const LineSource& lines,
                                               const Codec* former = nullptr);
// Files in the folder: NAME.vocabulary for each name.
void save_label_codecs(const std::filesystem::path& folder, const std::vector<std::string>& names,
                       const Codecs& codecs);
Codecs load_label_codecs(const std::filesystem::path& folder,
                         const std::vector<std::string>& names);

}  // namespace heed
