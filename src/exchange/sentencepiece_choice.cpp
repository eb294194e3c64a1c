#include "exchange/sentencepiece_choice.h"

#include <algorithm>
#include <unordered_set>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "data/example.h"
#include "text/line_language.h"
#include "text/sentencepiece.h"
#include "text/sentencepiece_file.h"

namespace heed {

namespace {

// A model fits a vocabulary that has at least this part of its pieces. It fits better than another
// one if this part more of its pieces are there.
constexpr double kLeastKnown = 0.5, kDifference = 0.1;

// True for a file with the name of a model, which may be damaged, or with the first bytes of one.
bool may_be_model(const fs::path& path) {
  return is_plain_file(path) && (path.extension() == ".spm" || begins_as_sentencepiece_model(path));
}

double known_part(const SentencePieceFile& file, const std::vector<std::string>& vocabulary) {
  if (file.pieces.empty()) return 0;
  return static_cast<double>(count_known_pieces(file, vocabulary)) /
         static_cast<double>(file.pieces.size());
}

}  // namespace

SentencePieceFile read_sentencepiece_file(const fs::path& path) {
  SentencePieceFile file{path, read_file(path), {}};
  file.pieces = SentencePieceTokenizer(file.bytes, path.string(), /*lower=*/false).own_pieces();
  return file;
}

std::vector<SentencePieceFile> find_sentencepiece_files(const fs::path& folder) {
  std::vector<SentencePieceFile> files;
  for (const fs::path& path : list_folder(folder)) {
    if (!may_be_model(path)) continue;
    try {
      files.push_back(read_sentencepiece_file(path));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kModel) throw;
      // A file of another kind may begin with these bytes; one by these names may not.
      if (path.extension() == ".spm" || path.extension() == ".model") throw;
    }
  }
  return files;
}

int64_t count_known_pieces(const SentencePieceFile& file,
                           const std::vector<std::string>& vocabulary) {
  const std::unordered_set<std::string> known(vocabulary.begin(), vocabulary.end());
  return std::ranges::count_if(
      file.pieces, [&known](const std::string& piece) { return known.contains(piece); });
}

void report_language_codes(const Vocabulary& vocabulary) {
  const std::string codes = language_codes_text(vocabulary);
  if (!codes.empty())
    spdlog::info("a source line begins with the code of its target language: {}", codes);
}

std::optional<SentencePieceFile> choose_sentencepiece_file(
    const std::vector<SentencePieceFile>& files, const std::string& side,
    const std::vector<std::string>& vocabulary) {
  std::vector<double> parts;
  for (const SentencePieceFile& file : files) parts.push_back(known_part(file, vocabulary));
  const double best = parts.empty() ? 0 : std::ranges::max(parts),
               least = std::max(kLeastKnown, best - kDifference);
  std::vector<const SentencePieceFile*> fitting;
  for (size_t i = 0; i < files.size(); ++i) {
    if (parts[i] < least) continue;
    if (files[i].path.stem() == side) return files[i];
    fitting.push_back(&files[i]);
  }
  if (fitting.empty()) return std::nullopt;
  // A file that is named for the other side is taken where no other fits.
  const std::string other = side == kSourceSide ? kTargetSide : kSourceSide;
  const auto is_of_other = [&](const SentencePieceFile* file) {
    return file->path.stem() == other;
  };
  if (!std::ranges::all_of(fitting, is_of_other)) std::erase_if(fitting, is_of_other);
  std::vector<std::string> names;
  for (const SentencePieceFile* file : fitting) names.push_back(file->path.string());
  const bool are_same = std::ranges::all_of(
      fitting, [&](const SentencePieceFile* file) { return file->bytes == fitting[0]->bytes; });
  if (!are_same)
    throw_error(ErrorKind::kModel,
                "{} SentencePiece models fit the vocabulary of the {}: {}; choose by --{}-spm",
                names.size(), side, fmt::format("{}", fmt::join(names, ", ")), side);
  return *fitting.front();
}

}  // namespace heed
