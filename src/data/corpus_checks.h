// Finds mistakes in the data that training itself would not notice.
#pragma once

#include <string>
#include <vector>

#include "data/cleaning.h"
#include "data/corpus_files.h"
#include "data/data_cache.h"
#include "data/training_text.h"

namespace heed {

// Validation or test set, for the comparison with the training data.
struct ComparedSet {
  std::string name;  // "valid", "test test2016"
  CorpusFiles files;
};

struct CorpusChecks {
  std::vector<ComparedSet> sets;
  // For each side, sources first: true if tabs belong to its lines (markers between sentences).
  std::vector<bool> tabs_expected;
  Cleaning cleaning{};
};

struct CorpusFindings {
  std::vector<std::string> warnings;
  CorpusReport certain;  // left out with any tokenizer; kept: all others
};

// Reads the training text once, and the beginning of each set. A warning names the place, the
// finding and the remedy. It warns of
//   - rows of a table or of JSON lines without the text of a side, and a header read as a pair
//   - edges, alignments or supporting facts that are empty in all lines of all corpora
//   - many lines of a side that are malformed UTF-8 (base/encoding.h)
//   - source and target that are the same line in more than half of the pairs
//   - a tab in more than half of the lines of a side that expects none: a table of several columns
//   - lines that fit better when shifted: the lengths of source and target correlate at another
//     offset; in sets too
//   - more than half of the pairs too long, whatever the tokenizer makes of them
//   - pairs, sources or targets of a set that are also in the training data, from 1 % of the set;
//     for labels, which recur everywhere, only pairs
//   - a set, or a corpus, whose source and target words are swapped relative to the first corpus
// Throws Error(kIo) for a file that cannot be read.
CorpusFindings check_corpora(const TrainingText& text, const CorpusChecks& checks);

// Does the same; a later start takes the findings from the cache. Throws Error(kIo) also if they
// cannot be kept.
CorpusFindings cached_checks(const TrainingText& text, const CorpusChecks& checks,
                             DataCache& cache);

}  // namespace heed
