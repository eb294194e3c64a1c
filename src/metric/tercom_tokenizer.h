// How TER splits a text into words: as Tercom, the program of its authors, with the character ranges
// of sacreBLEU 2.6.0.
#pragma once

#include <string>
#include <string_view>

namespace heed {

struct TercomOptions {
  bool normalized = false;      // entities become characters, punctuation is apart from words
  bool no_punctuation = false;  // . , ? : ; ! " ( ) are removed
  bool asian_support =
      false;  // beside `normalized`, Chinese characters and marks are apart; beside
              // `no_punctuation`, the marks are removed
  bool case_sensitive = false;
};

// The words of the line with a space between them.
std::string tokenize_tercom(std::string_view line, const TercomOptions& options);

}  // namespace heed
