// Tokenizers of BLEU, equal to sacreBLEU's tokenizers of the same names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

// Tokenizes a line without white space at its end; the result has white space between words.
using BleuTokenize = std::string (*)(std::string_view line);

struct BleuTokenizer {
  const char* name;
  const char* help;
  BleuTokenize tokenize;
  bool needs_spaces;  // a line without spaces is a single word
  // Version of the library of another program that a tokenizer uses, for the signature. Throws
  // Error(kUsage) if the library is not installed.
  std::string (*version)() = nullptr;
};

// Tokenizers: 13a (mteval-v13a), intl (mteval-v14, by Unicode properties), char, none, zh (Chinese
// characters one by one, the rest as in 13a without its entities), ja-mecab (Japanese words,
// metric/mecab.h).
const std::vector<BleuTokenizer>& bleu_tokenizers();
// Throws Error(kUsage) that lists the tokenizers if the name is unknown.
const BleuTokenizer& find_bleu_tokenizer(const std::string& name);

}  // namespace heed
