// Words that users bring from papers and other toolkits, and what they are called here: names of
// kinds, values and mechanisms. Keys state their names themselves (Fields::peers, peer_names.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed {

struct Synonym {
  const char* word;       // lower case, _ for - and spaces
  const char* what;       // "a bidirectional LSTM"
  const char* here;       // what to write, "{type: rnn, cell: lstm, bidirectional: true}"
  const char* mechanism;  // what `heed attention show` answers with, or ""
};
const std::vector<Synonym>& synonyms();

// Lower case, with _ for - and spaces.
std::string canonical_word(std::string_view word);
// The entry of a word, however it is written; nullptr if there is none.
const Synonym* find_synonym(std::string_view word);

// "; an LSTM is {type: rnn, cell: lstm}" if the word is a synonym, else did_you_mean(). A word
// that means something only at its place is a path: "train.loss".
std::string synonym_or_suggestion(std::string_view word,
                                  const std::vector<std::string>& candidates);

}  // namespace heed
