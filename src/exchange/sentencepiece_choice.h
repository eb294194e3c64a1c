// The SentencePiece model that a vocabulary was made with, among the files of a folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "text/vocabulary.h"

namespace heed {

struct SentencePieceFile {
  std::filesystem::path path;
  std::string bytes;
  std::vector<std::string> pieces;
};

// Throws Error(kModel) if it is none; IoError.
SentencePieceFile read_sentencepiece_file(const std::filesystem::path& path);
// The files of a folder that are such models, by their content.
std::vector<SentencePieceFile> find_sentencepiece_files(const std::filesystem::path& folder);

// The one whose pieces are in the vocabulary of the side; where several fit, the one that is named
// after it (source.spm). nullopt: none fits. Throws Error(kModel) that lists them where several
// fit and no name decides.
std::optional<SentencePieceFile> choose_sentencepiece_file(
    const std::vector<SentencePieceFile>& files, const std::string& side,
    const std::vector<std::string>& vocabulary);

// How many of the pieces are in the vocabulary.
int64_t count_known_pieces(const SentencePieceFile& file,
                           const std::vector<std::string>& vocabulary);

// Says which language tokens (>>deu<<) a source line begins with.
void report_language_codes(const Vocabulary& vocabulary);

}  // namespace heed
