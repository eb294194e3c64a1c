// Tokens that a target can copy from its source, as ids of the target.
#pragma once

#include <string>
#include <vector>

#include "text/vocabulary.h"

namespace heed {

// Targets that a model can write: any target, targets of pieces of the source, one such piece, or
// one piece of any kind.
enum class WritableTargets { kAnything, kCopies, kOneCopy, kOneToken };
constexpr bool writes_one(WritableTargets writes) {
  return writes == WritableTargets::kOneCopy || writes == WritableTargets::kOneToken;
}

// Copying compares surfaces: a source piece stands for the target piece that is written alike. A
// piece that the target's vocabulary lacks has an id after the vocabulary's V, which is valid only
// for its sentence: V for the first such piece, V+1 for the next different one (the extended
// vocabulary of See et al. 2017, section 2.2).
struct Copyable {
  Ids ids;                          // of each source piece
  std::vector<std::string> behind;  // pieces of the ids V, V+1, …
};

Copyable copyable(const std::vector<std::string>& source_pieces, const Vocabulary& target);

// Replaces the unknown ids of a target by the ids of the same pieces in its source.
Ids with_copied(Ids ids, const std::vector<std::string>& pieces, const Copyable& source,
                const Vocabulary& target);

}  // namespace heed
