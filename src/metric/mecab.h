// Splits Japanese text into words by MeCab with the IPA dictionary, as sacreBLEU's ja-mecab does
// (equal on 50,000 sentences of a corpus, except for 令和, the era since 2019, which only Debian's
// dictionary contains). The library is opened when it is first used: only evaluation of Japanese
// needs it and its dictionary (Debian: libmecab2, mecab-ipadic-utf8). Thread-safe; calls run one at
// a time.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// Version as in sacreBLEU's signature: "0.996-IPA". Throws Error(kUsage) that names the packages to
// install if MeCab or the IPA dictionary is missing.
std::string mecab_version();

// Words of a line with a space between them. Throws as mecab_version() does.
std::string tokenize_mecab(std::string_view line);

}  // namespace heed
