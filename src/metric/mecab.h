// Japanese words by MeCab with the IPA dictionary, as sacreBLEU's ja-mecab has them (equal on 50,000
// sentences of a corpus; Debian's dictionary alone knows 令和, the era since 2019). The library is
// opened when the first words are asked for: only who evaluates Japanese needs it and its dictionary
// (Debian: libmecab2, mecab-ipadic-utf8). Any thread may call; one at a time is served.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// "0.996-IPA", as in sacreBLEU's signature. Throws Error(kUsage) where MeCab or the IPA dictionary
// is not installed; it says what to install.
std::string mecab_version();

// The words of a line with a space between them. Throws the same.
std::string tokenize_mecab(std::string_view line);

}  // namespace heed
