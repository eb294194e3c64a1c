#include "exchange/marian_vocabulary.h"

#include <set>

#include "base/file.h"
#include "base/printable.h"
#include "exchange/json_file.h"
#include "text/sentencepiece.h"
#include "text/sentencepiece_file.h"

namespace heed {

MarianVocabulary::MarianVocabulary(const Codec& codec)
    : tokens({"</s>", "<unk>"}), ids({kEnd, kUnknown}) {
  const Vocabulary& vocabulary = codec.vocabulary();
  std::set<std::string> known;
  for (int32_t id = kSpecials; id < vocabulary.size(); ++id) {
    tokens.push_back(vocabulary.piece(id));
    ids.push_back(id);
    known.insert(tokens.back());
  }
  generated = std::ssize(tokens);
  const auto* pieces = dynamic_cast<const SentencePieceTokenizer*>(&codec.tokenizer());
  if (pieces == nullptr) return;
  pieces_ = pieces->model();
  for (const std::string& piece : pieces->all_pieces()) {
    if (is_special_piece(piece) || !known.insert(piece).second) continue;
    tokens.push_back(piece);
    ids.push_back(kUnknown);
  }
}

void MarianVocabulary::round_up(int64_t unit) {
  for (int64_t i = 0; std::ssize(tokens) % unit != 0; ++i) {
    tokens.push_back(fmt::format("<unused:{}>", i));
    ids.push_back(kUnknown);
  }
}

std::string MarianVocabulary::save(const std::filesystem::path& folder,
                                   const std::string& prefix) const {
  if (!pieces_.empty()) {
    const std::string name = prefix + "vocab.spm";
    write_file(folder / name, sentencepiece_in_order(pieces_, tokens));
    return name;
  }
  std::string lines;
  for (size_t id = 0; id < tokens.size(); ++id)
    lines += fmt::format("{}: {}\n", Json(tokens[id]).dump(), id);
  const std::string name = prefix + "vocab.yml";
  write_file(folder / name, lines);
  return name;
}

}  // namespace heed
