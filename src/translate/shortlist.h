// The target tokens that the translation of a sentence may have, so that the output layer computes a
// few hundred scores in place of those of the vocabulary (Jean et al. 2015, section 3.3; Mi et al.
// 2016): for each source token its most probable translations and itself, where the target
// vocabulary has it; and the tokens that are translations of the most source tokens.
#pragma once

#include <cstdint>
#include <vector>

#include "data/example.h"
#include "translate/lexicon.h"

namespace heed {

struct ShortlistSizes {
  int64_t best = 50;       // translations of each source token
  int64_t frequent = 100;  // for all sentences
};

class Shortlist {
 public:
  Shortlist(const Lexicon& lexicon, const ShortlistSizes& sizes, const Vocabulary& source,
            const Vocabulary& target);
  // more: tokens that are candidates too, such as those of a prefix.
  Candidates candidates(const Ids& source, const std::vector<Ids>& more) const;

 private:
  Ids always_;                // with kEnd and kUnknown
  std::vector<Ids> of_each_;  // by source token
};

}  // namespace heed
