// Rules for leaving out training pairs, and counts of the pairs that were left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/data_config.h"

namespace heed {

// kBadRow: a row of a table or of JSON lines without the text of a side. kUneven: above the maximum
// length ratio. kNotCopied: a model that only copies cannot write this target.
enum class LineFault { kNone, kBadRow, kMalformed, kEmpty, kTooLong, kUneven, kNotCopied };

struct Verdict {
  LineFault fault = LineFault::kNone;
  size_t side = 0;        // side with the fault
  bool repaired = false;  // malformed bytes were replaced
  std::string what{};     // of a row without its text: "has 1 column, expected column 2"
};

bool is_blank(const std::string& line);  // nothing but spaces

// Finds the side that makes a pair unusable because it is empty: the target, or the first source if
// all sources are empty. empty: one value for each source and target side. Returns nullopt if
// nothing is missing.
std::optional<size_t> missing_side(const std::vector<bool>& empty);

// Finds the fault of a pair in its raw lines: malformed UTF-8 on any side (repaired in place if the
// policy says to), or only spaces where text is needed.
Verdict clean_lines(std::vector<std::string>& lines, const Cleaning& cleaning);

// True if the lengths of a pair, in tokens of each side, exceed the maximum ratio; always false
// without a source.
bool is_uneven(const std::vector<int64_t>& lengths, const Cleaning& cleaning);

// Throws Error(kData) if the policy for this fault is to end the run. sides: number of sides of a
// pair. place: file and line.
void enforce(const Verdict& verdict, const Cleaning& cleaning, size_t sides,
             const std::string& place);

// "data.max_length: 100 allows"
std::string limits_of(const Cleaning& cleaning);

// Replaces malformed bytes by U+FFFD. Returns true if there were any.
bool repair(std::string& line);

// Counts of the pairs of one corpus, kept and left out.
struct CorpusCount {
  std::string name;
  double weight = 1;
  std::optional<double> fraction{};  // of an epoch, if set by a temperature
  int64_t pairs = 0, kept = 0;
  int64_t bad_rows = 0, malformed = 0, empty = 0, too_long = 0;   // left out
  int64_t uneven = 0, not_copied = 0;                             // left out too
  int64_t repaired = 0, joined = 0, unmarked = 0, truncated = 0;  // kept
  int64_t facts_cut = 0;                                          // kept too
  // "train.en + train.de: 29,000 pairs, 28,990 kept; left out: 3 empty, 7 too long"
  std::string text() const;
  // Counts a pair that is left out for this fault.
  void leave_out(LineFault fault);
};

struct CorpusReport {
  std::vector<CorpusCount> corpora;
  int64_t pairs() const;
  int64_t kept() const;
  std::vector<std::string> lines() const;  // one for each corpus, and a total if there are several
  // Throws Error(kData) if less than this fraction of all pairs is kept.
  void require(double min_kept) const;
};

}  // namespace heed
