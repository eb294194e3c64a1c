// How BLEU splits a text into words: sacreBLEU's tokenizers of the same names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

// Takes a line without white space at its end, gives the line with white space between words.
using BleuTokenize = std::string (*)(std::string_view line);

struct BleuTokenizer {
  const char* name;
  const char* help;
  BleuTokenize tokenize;
  bool needs_spaces;  // between words: a line without any is one word to it
  // Of a tokenizer by another program's library: its version, for the signature. Throws
  // Error(kUsage) where it is not installed.
  std::string (*version)() = nullptr;
};

// 13a (mteval-v13a), intl (mteval-v14, by Unicode properties), char, none, zh (Chinese characters
// one by one, the rest as 13a without its entities), ja-mecab (Japanese words, metric/mecab.h).
const std::vector<BleuTokenizer>& bleu_tokenizers();
// Throws Error(kUsage) that lists them if there is none of this name.
const BleuTokenizer& find_bleu_tokenizer(const std::string& name);

}  // namespace heed
