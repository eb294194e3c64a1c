// Folders with tokenizers and vocabularies: folders of `heed vocab`, and model folders.
#pragma once

#include <filesystem>

#include "text/codecs.h"

namespace heed {

// File in a folder of `heed vocab`: a `text:` section that a config can use unchanged.
inline constexpr const char* kTextConfig = "text.yaml";

// Writes the codecs, and text.yaml with their settings. Paths in it refer to `final_folder`.
void save_text(const std::filesystem::path& folder, const std::filesystem::path& final_folder,
               const TextConfigs& text, const Codecs& codecs);

// Loads the codecs of a folder by the `text:` section of its file `config`, which may have other
// sections. Throws as load_codecs() does, and Error(kModel) if the section cannot be read.
Codecs load_text(const std::filesystem::path& folder, const std::string& config);

// Loads a SentencePiece model file as one codec for both sides. Throws Error(kModel).
Codecs load_sentencepiece(const std::filesystem::path& file);

}  // namespace heed
