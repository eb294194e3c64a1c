// The edits of TER (Snover et al. 2006, "A study of translation edit rate with targeted human
// annotation", section 3): words that are inserted, deleted or replaced, and shifts, each of which
// moves words that follow each other. The least number is NP-hard to find; the search is greedy, with
// the limits of Tercom as sacreBLEU 2.6.0 has them:
//
// - the shift that saves the most edits is taken, until none saves any;
// - a shift moves up to 10 words that stand in the reference too, at most 50 positions away, where
//   neither they nor the words of the reference are aligned without errors;
// - the table of edit distances has 25 columns on either side of the diagonal;
// - after 1,000 shifts were tried for a sentence, no other is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heed {

// Words are given as numbers. Throws Error(kData) for sentences of a hundred thousand words.
size_t shifted_edits(const std::vector<uint32_t>& hypothesis,
                     const std::vector<uint32_t>& reference);

}  // namespace heed
