// Languages of many-to-many models (M2M-100, NLLB, mBART-50), which are tokens: the source begins with the
// token of its language, and the target with the token of the target language, which is forced. In
// mBART-cc25 the source ends with the token, and that of the target begins the decoder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace heed {

// Codes: en, eng_Latn. "": chosen when the model translates.
struct HfLanguages {
  std::string source, target;
};

// SentencePiece model of M2M100Tokenizer, NllbTokenizer and MBart50Tokenizer, for both sides.
inline constexpr const char* kLanguageModel = "sentencepiece.bpe.model";

struct LanguageTokens {
  // Tokens by id. Tokens that are not part of a text are written ">>name<<": languages, and ">>s<<"
  // and ">>mask<<" for <s> and <mask>, which have no counterpart in heed.
  std::map<int64_t, std::string> tokens;
  std::vector<std::string> codes;
  std::vector<std::string>
      added{};  // other tokens that were added to the tokenizer, in `tokens` too
};

// Reads the tokens of M2M100Tokenizer from vocab.json; the languages follow in an order that the
// tokenizer defines. Without vocab.json, reads the tokens of NllbTokenizer: <s>, <pad>, </s>, <unk>
// and the pieces of the SentencePiece model. The id of a piece is its id in the SentencePiece model
// plus 1, or its number without special pieces if tokenizer.json has these ids. The languages are
// the added tokens of tokenizer.json or tokenizer_config.json. Otherwise they follow the pieces in
// the order of the list in tokenizer_config.json or special_tokens_map.json. Throws Error(kModel)
// that names the file and the fault.
LanguageTokens read_language_tokens(const std::filesystem::path& folder);

// Reads the tokens of MBart50Tokenizer, or of MBartTokenizer: ids of the pieces as in NLLB, then its
// languages and <mask>.
LanguageTokens read_mbart_tokens(const std::filesystem::path& folder, bool is_first);

// True for MBartTokenizer (mBART-cc25), by its name or the number of the rows of the embeddings.
bool is_first_mbart(const std::filesystem::path& folder, int64_t rows);

// Throws Error(kUsage) that lists the codes for a language that is chosen and not among them.
void check_languages(const HfLanguages& languages, const std::vector<std::string>& codes,
                     const std::filesystem::path& folder);

}  // namespace heed
