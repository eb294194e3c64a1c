// Which training pairs are left out, and the account of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/data_config.h"

namespace heed {

// kBadRow: a row of a table or of JSON lines without the text of a side. kUneven: above the maximum
// length ratio. kNotCopied: no target that the model can write, which only copies.
enum class LineFault { kNone, kBadRow, kMalformed, kEmpty, kTooLong, kUneven, kNotCopied };

struct Verdict {
  LineFault fault = LineFault::kNone;
  size_t side = 0;        // that has it
  bool repaired = false;  // malformed bytes were replaced
  std::string what{};     // of a row without its text: "has 1 column, expected column 2"
};

bool is_blank(const std::string& line);  // nothing but spaces

// Whether a pair lacks what it cannot do without: its target, or, of several sources, all of them;
// so the only one. empty: of each source and target side. Returns the side that shows it; nullopt
// if nothing is missing.
std::optional<size_t> missing_side(const std::vector<bool>& empty);

// The fault of a pair that its raw lines show: malformed UTF-8 on any side (repaired in place if
// that is the policy), nothing but spaces where something is needed.
Verdict clean_lines(std::vector<std::string>& lines, const Cleaning& cleaning);

// Whether the numbers of tokens of a pair, of each side, exceed the maximum ratio; never without a
// source.
bool is_uneven(const std::vector<int64_t>& lengths, const Cleaning& cleaning);

// Throws Error(kData) if this fault is to end the run. sides: of a pair; place: file and line.
void enforce(const Verdict& verdict, const Cleaning& cleaning, size_t sides,
             const std::string& place);

// "data.max_length: 100 allows"
std::string limits_of(const Cleaning& cleaning);

// Malformed bytes become U+FFFD. Returns whether there were any.
bool repair(std::string& line);

// Counts of the pairs of one corpus, kept and left out.
struct CorpusCount {
  std::string name;
  double weight = 1;
  std::optional<double> fraction{};  // of an epoch, where a temperature has made it
  int64_t pairs = 0, kept = 0;
  int64_t bad_rows = 0, malformed = 0, empty = 0, too_long = 0;   // left out
  int64_t uneven = 0, not_copied = 0;                             // left out too
  int64_t repaired = 0, joined = 0, unmarked = 0, truncated = 0;  // kept
  // "train.en + train.de: 29,000 pairs, 28,990 kept; left out: 3 empty, 7 too long"
  std::string text() const;
  // Counts a pair that is left out for this fault.
  void leave_out(LineFault fault);
};

struct CorpusReport {
  std::vector<CorpusCount> corpora;
  int64_t pairs() const;
  int64_t kept() const;
  std::vector<std::string> lines() const;  // one each, and one for all if there are several
  // Throws Error(kData) if less than this fraction of all pairs is kept.
  void require(double min_kept) const;
};

}  // namespace heed
