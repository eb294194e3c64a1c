// Signs of a mistake in the data that training itself would not notice.
#pragma once

#include <string>
#include <vector>

#include "data/cleaning.h"
#include "data/corpus_files.h"
#include "data/training_text.h"

namespace heed {

// A validation or test set, as it is compared with the training data.
struct ComparedSet {
  std::string name;  // "valid", "test test2016"
  CorpusFiles files;
};

struct CorpusChecks {
  std::vector<ComparedSet> sets;
  // Of each side, sources first: whether tabs belong to its lines (markers between sentences).
  std::vector<bool> tabs_expected;
  Cleaning cleaning{};
};

struct CorpusFindings {
  std::vector<std::string> warnings;
  CorpusReport certain;  // what is left out whatever the tokenizer makes of it; kept: the others
};

// Reads the training text once, and a beginning of each set. A warning each, which says where, what
// was found and what to do, of
//   - rows of a table or of JSON lines without the text of a side, and a header read as a pair
//   - many lines of a side that are malformed UTF-8 (base/encoding.h)
//   - source and target that are the same line in more than half of the pairs
//   - a tab in more than half of the lines of a side that expects none: a table of several columns
//   - lines that fit better shifted: the lengths of source and target correlate at another offset;
//     of a set too
//   - more than half of the pairs too long, whatever the tokenizer makes of them
//   - pairs, sources or targets of a set that the training data have too, from 1 % of the set; of
//     labels, which are the same everywhere, their pairs alone
//   - a set, or a corpus, whose source and target words are swapped relative to the first corpus
// Throws Error(kIo) for a file that cannot be read.
CorpusFindings check_corpora(const TrainingText& text, const CorpusChecks& checks);

}  // namespace heed
