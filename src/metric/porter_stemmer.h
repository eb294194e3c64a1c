// Porter's stemmer (Porter 1980, "An algorithm for suffix stripping") with the extensions of NLTK's
// PorterStemmer, which rouge-score uses: a table of irregular words, "ies" and "ied" of four
// letters, "y" after a consonant, "alli" first, "bli", "fulli" and "logi" in step 2, and no change
// to words of one or two letters. The later Porter2 (Snowball "english") differs.
#pragma once

#include <string>
#include <string_view>

namespace heed {

// `word` is lower-case ASCII; characters other than letters count as consonants.
std::string porter_stem(std::string_view word);

}  // namespace heed
