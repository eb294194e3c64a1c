// Words that users bring from papers and other toolkits, and what they are called here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

struct Synonym {
  const char* word;       // lower case, _ for - and spaces
  const char* what;       // "the learning rate"
  const char* here;       // "train.optimizer.rate", or what to write
  const char* mechanism;  // what `heed attention show` answers with, or ""
  const char* note = "";  // what follows the answer: in what it differs
};
const std::vector<Synonym>& synonyms();

// Lower case, with _ for - and spaces.
std::string canonical_word(std::string_view word);
// The entry of a word, however it is written; nullptr if there is none.
const Synonym* find_synonym(std::string_view word);

// "; the learning rate is train.optimizer.rate" if the word is a synonym, else did_you_mean(). A word
// that means something only at its place is a path: "train.loss".
std::string synonym_or_suggestion(std::string_view word,
                                  const std::vector<std::string>& candidates);

}  // namespace heed
