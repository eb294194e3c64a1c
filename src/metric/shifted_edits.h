// Edits of TER (Snover et al. 2006, "A study of translation edit rate with targeted human
// annotation", section 3): inserted, deleted and replaced words, and shifts, each of which moves a
// sequence of words. The minimum is NP-hard to find; the search is greedy, with the limits of
// Tercom as in sacreBLEU 2.6.0:
//
// - the shift that saves the most edits is taken, until none saves any;
// - a shift moves up to 10 words that also occur in the reference, at most 50 positions away, if
//   neither they nor the words of the reference are aligned without errors;
// - the table of edit distances has 25 columns on either side of the diagonal;
// - shifts end after 1,000 were tried for a sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heed {

// Takes words as numbers. Throws Error(kData) for sentences of a hundred thousand words.
size_t shifted_edits(const std::vector<uint32_t>& hypothesis,
                     const std::vector<uint32_t>& reference);

}  // namespace heed
