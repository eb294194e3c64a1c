// Check of parallel text: sees every pair once, then reports its findings.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "data/corpus_checks.h"
#include "data/text_reader.h"

namespace heed {

using Lines = std::vector<std::string>;

class PairCheck {
 public:
  virtual ~PairCheck() = default;
  // Called for each pair of corpus `part`, in order. number: from 1. lines: the sources, then the
  // target.
  virtual void see(size_t part, int64_t number, const Lines& lines) = 0;
  // Adds one line for each finding.
  virtual void report(const std::vector<TextPart>& parts, Lines& found) const = 0;
};

std::unique_ptr<PairCheck> same_line_check(size_t parts);
std::unique_ptr<PairCheck> tab_check(size_t parts, std::vector<bool> tabs_expected);
std::unique_ptr<PairCheck> shift_check(size_t parts, const std::vector<ComparedSet>& sets);
std::unique_ptr<PairCheck> overlap_check(const std::vector<ComparedSet>& sets);
std::unique_ptr<PairCheck> swap_check(const std::vector<ComparedSet>& sets);

// Calls see(number, lines) for at most `most` pairs of a set, up to the end of its shortest side;
// returns the number of pairs read.
template <class See>
int64_t read_set(const CorpusFiles& files, int64_t most, See see) {
  int64_t number = 0;
  for (size_t file = 0; file < files.sides.front().paths.size(); ++file) {
    std::deque<TextReader> readers;
    for (const auto& [paths, view] : files.sides) readers.emplace_back(TextFile{paths[file], view});
    for (Lines lines(readers.size()); number < most;) {
      bool whole = true;
      for (size_t side = 0; side < readers.size(); ++side)
        whole = readers[side].next(lines[side]) && whole;
      if (!whole) break;
      see(++number, lines);
    }
  }
  return number;
}

}  // namespace heed
