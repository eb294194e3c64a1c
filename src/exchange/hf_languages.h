// The languages of models that translate between many (M2M-100, NLLB), which are tokens: the source
// begins with that of its language, and the target with that of its own, which is forced.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace heed {

// Codes: en, eng_Latn. "" where none is chosen.
struct HfLanguages {
  std::string source, target;
};

// Of M2M100Tokenizer and NllbTokenizer, pieces of both sides.
inline constexpr const char* kLanguageModel = "sentencepiece.bpe.model";

struct LanguageTokens {
  // By id. Those that are no part of a text are ">>name<<": languages, and of <s> and <mask>, which
  // heed has no tokens for, ">>s<<" and ">>mask<<".
  std::map<int64_t, std::string> tokens;
  std::vector<std::string> codes;
};

// M2M100Tokenizer: vocab.json, and behind it the languages in an order that the tokenizer knows.
// NllbTokenizer, where there is no vocab.json: <s>, <pad>, </s>, <unk> and the pieces of the
// SentencePiece model, each with the id of the piece and 1; the languages are the added tokens of tokenizer.json or
// tokenizer_config.json, else they stand behind the pieces in the order in which
// tokenizer_config.json or special_tokens_map.json lists them. Throws Error(kModel) that names the
// file and the fault.
LanguageTokens read_language_tokens(const std::filesystem::path& folder);

// Throws Error(kUsage) that lists the codes, unless both are among them.
void check_languages(const HfLanguages& languages, const std::vector<std::string>& codes,
                     const std::filesystem::path& folder);

}  // namespace heed
