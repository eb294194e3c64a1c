#include "translate/phrase_forms.h"

#include <algorithm>

namespace heed {

namespace {

// The tokens between those of two other words; empty if a token is of several words.
Ids between_words(const Codec& codec, const std::string& phrase) {
  const std::string line = "a " + phrase + " a";
  const std::vector<std::string> pieces = codec.tokenizer().encode_without_language(line);
  const PieceWords words = codec.tokenizer().piece_words(line, pieces);
  const int64_t last = codec.tokenizer().count_words(line) - 1;
  Ids between;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (words[i].end <= 1 || words[i].begin >= last) continue;
    if (words[i].begin < 1 || words[i].end > last) return {};
    const int32_t id = codec.vocabulary().id(pieces[i]);
    between.push_back(id < kSpecials ? kUnknown : id);
  }
  return between;
}

}  // namespace

std::vector<Ids> phrase_forms(const Codec& codec, const std::string& phrase, const Ids& alone) {
  std::vector<Ids> forms;
  for (const Ids& form : {alone, between_words(codec, phrase)}) {
    for (const Ids& ids : {form, codec.within_text(phrase, form)}) {
      if (!ids.empty() && std::ranges::count(ids, kUnknown) == 0 &&
          std::ranges::count(forms, ids) == 0)
        forms.push_back(ids);
    }
  }
  return forms;
}

}  // namespace heed
