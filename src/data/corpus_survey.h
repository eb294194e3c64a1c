// Statistics of a parallel corpus: sizes, lengths, words, letters. `heed config new` chooses
// settings by them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/text_view.h"

namespace heed {

// Words are those between spaces; in lines that have none between words (base/unspaced.h), those of
// a dictionary.
struct SideSurvey {
  int64_t words = 0;           // all together
  int64_t distinct_words = 0;  // of the first kSurveyedLines lines
  int64_t characters = 0;      // distinct ones of these lines
  int64_t middle_length = 0;   // words of a line: the median, …
  int64_t long_length = 0;     // … what 99.5 % stay below, …
  int64_t longest_length = 0;  // … the most
  int64_t distinct_lines = 0;  // of these lines
  int64_t surveyed_lines = 0;  // how many these are
  double short_words = 0;      // the share of words of at most three characters in these lines
  bool unspaced = false;       // most lines have no spaces between words, …
  bool chinese = false;        // … and are Chinese: Han without kana
};

struct CorpusSurvey {
  int64_t pairs = 0;
  // Pairs with an empty line, or one that is not UTF-8, on a side; rows of a table without a side.
  int64_t empty = 0, malformed = 0, bad_rows = 0;
  int64_t joined = 0;           // pairs with line breaks in a text, which are read as spaces
  std::string first_bad_row{};  // "train.tsv:7: has 1 column, expected column 2"
  int64_t usable() const { return pairs - empty - malformed - bad_rows; }
  SideSurvey source, target;
  int64_t distinct_words = 0;  // of source and target together
  int64_t characters = 0;      // of both together
  // Characters of the longer side of a pair: 60 % of the pairs have as many or fewer. A token has one
  // at least.
  int64_t usual_characters = 0;
  int64_t most_characters = 0;  // of all pairs
  // Words: target = ratio · source + kSearchExtra, or fewer, in 99.9 % of the pairs.
  double length_ratio = 0;
  // How much of the target is written in letters that the source uses too, 0 to 1.
  double shared_letters = 0;
};

inline constexpr int64_t kSurveyedLines = 200'000;
inline constexpr int64_t kSearchExtra = 7;  // with 1.4 tokens a word search.max_length_extra

// Throws Error(kIo) for a file that cannot be read, Error(kData) for unequal or no lines.
CorpusSurvey survey_corpus(const TextFile& source, const TextFile& target);

}  // namespace heed
