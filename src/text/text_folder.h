// Folders that hold tokenizers and vocabularies: those of `heed vocab`, and model folders.
#pragma once

#include <filesystem>

#include "text/codecs.h"

namespace heed {

// Of a folder of `heed vocab`: a `text:` section that a config can take over as it is.
inline constexpr const char* kTextConfig = "text.yaml";

// Writes the codecs, and text.yaml with their settings, whose paths are those of `final_folder`.
void save_text(const std::filesystem::path& folder, const std::filesystem::path& final_folder,
               const TextConfigs& text, const Codecs& codecs);

// The codecs of a folder by the `text:` section of its file `config`, which may have other sections.
// Throws what load_codecs() throws, and Error(kModel) where the section cannot be read.
Codecs load_text(const std::filesystem::path& folder, const std::string& config);

// One codec of a SentencePiece model file alone, as both sides. Throws Error(kModel).
Codecs load_sentencepiece(const std::filesystem::path& file);

}  // namespace heed
