// Tokenizers that a command is given.
#pragma once

#include <string>

#include "text/codecs.h"

namespace heed {

inline constexpr const char* kTokenizerHelp =
    "A run, checkpoint or model folder, a folder of `heed vocab`, or a SentencePiece model "
    "file, whatever its name";

// Tokenizers of the path, by side. Throws Error(kModel).
Codecs load_tokenizers(const std::string& path);

}  // namespace heed
