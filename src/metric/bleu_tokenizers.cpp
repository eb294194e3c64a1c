#include "metric/bleu_tokenizers.h"

#include <unicode/uchar.h>

#include "base/error.h"
#include "base/replace_all.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "metric/code_points.h"
#include "metric/mecab.h"
#include "metric/western_marks.h"
#include "metric/words.h"

namespace heed {

namespace {

std::string tokenize_western(std::string_view line) {
  return separate_number_marks(separate_marks(line));
}

std::string tokenize_13a(std::string_view line) {
  std::string text = replace_all(std::string(line), "<skipped>", "");
  text = replace_all(std::move(text), "-\n", "");
  text = replace_all(std::move(text), "\n", " ");
  return tokenize_western(" " + unescape_entities(std::move(text)) + " ");
}

// The blocks that sacreBLEU takes for Chinese. The last one is a slip of its table that scores
// depend on: it writes U+20000 to U+2A6D6 with four digits, which compares as the letters,
// punctuation and symbols from U+2001 to U+2A6D.
constexpr CodePointRange kChinese[] = {
    {0x3400, 0x4DB5}, {0x4E00, 0x9FA5}, {0x9FA6, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A},
    {0xFA70, 0xFAD9}, {0xFF00, 0xFFEF}, {0x2E80, 0x2EFF}, {0x3000, 0x303F}, {0x31C0, 0x31EF},
    {0x2F00, 0x2FDF}, {0x2FF0, 0x2FFF}, {0x3100, 0x312F}, {0x31A0, 0x31BF}, {0xFE10, 0xFE1F},
    {0xFE30, 0xFE4F}, {0x2600, 0x26FF}, {0x2700, 0x27BF}, {0x3200, 0x32FF}, {0x3300, 0x33FF},
    {0x2001, 0x2A6D},
};

std::string tokenize_zh(std::string_view line) {
  std::string spaced;
  spaced.reserve(line.size() * 2);
  for (const auto character : code_points(strip(line))) {
    const bool alone = is_in(decode(character), kChinese);
    if (alone) spaced.push_back(' ');
    spaced.append(character);
    if (alone) spaced.push_back(' ');
  }
  return tokenize_western(spaced);
}

std::string tokenize_char(std::string_view line) {
  std::string spaced;
  spaced.reserve(line.size() * 2);
  for (const auto character : code_points(line)) spaced.append(character).push_back(' ');
  return spaced;
}

std::string tokenize_none(std::string_view line) { return std::string(line); }

bool is_punctuation(UChar32 c) { return U_GET_GC_MASK(c) & U_GC_P_MASK; }
bool is_symbol(UChar32 c) { return U_GET_GC_MASK(c) & U_GC_S_MASK; }
bool is_not_number(UChar32 c) { return !(U_GET_GC_MASK(c) & U_GC_N_MASK); }

std::string tokenize_intl(std::string_view line) {
  const std::u32string text = decode_all(line);
  std::u32string pass;  // a mark behind what is no number stands alone
  for (size_t i = 0; i < text.size(); ++i) {
    pass.push_back(text[i]);
    if (i + 1 < text.size() && is_not_number(text[i]) && is_punctuation(text[i + 1])) {
      pass.append({U' ', text[++i], U' '});
    }
  }
  std::u32string second;  // and one before it
  for (size_t i = 0; i < pass.size(); ++i) {
    if (i + 1 < pass.size() && is_punctuation(pass[i]) && is_not_number(pass[i + 1])) {
      second.append({U' ', pass[i], U' '});
      ++i;
    }
    second.push_back(pass[i]);
  }
  std::string result;
  result.reserve(line.size() * 2);
  for (const char32_t c : second) {
    const bool alone = is_symbol(c);
    if (alone) result.push_back(' ');
    append_code_point(result, c);
    if (alone) result.push_back(' ');
  }
  return result;
}

}  // namespace

const std::vector<BleuTokenizer>& bleu_tokenizers() {
  static const std::vector<BleuTokenizer> list = {
      {"13a", "as mteval-v13a, the default", tokenize_13a, true},
      {"intl", "as mteval-v14, with Unicode punctuation and symbols", tokenize_intl, true},
      {"char", "characters as tokens", tokenize_char, false},
      {"none", "words between spaces", tokenize_none, true},
      {"zh", "Chinese characters as tokens, the rest as 13a", tokenize_zh, false},
      {"ja-mecab", "Japanese words by MeCab", tokenize_mecab, false, mecab_version},
  };
  return list;
}

const BleuTokenizer& find_bleu_tokenizer(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& tokenizer : bleu_tokenizers()) {
    if (tokenizer.name == name) return tokenizer;
    names.emplace_back(tokenizer.name);
  }
  throw_error(ErrorKind::kUsage, "BLEU has no tokenizer '{}'; allowed: {}{}", name,
              fmt::join(names, ", "), did_you_mean(name, names));
}

}  // namespace heed
