// What a target can copy from its source, as ids of the target.
#pragma once

#include <string>
#include <vector>

#include "text/vocabulary.h"

namespace heed {

// The targets that a model can write: any, those of pieces of the source, or single ones of these.
enum class Writes { kAnything, kCopies, kOneCopy };

// Copying is by surface: a source piece is the target piece that is written alike. A piece that the
// target's vocabulary lacks has an id of its sentence's own behind the vocabulary's V: V for the
// first such piece, V+1 for the next that differs from it (the extended vocabulary of See et al.
// 2017, section 2.2).
struct Copyable {
  Ids ids;                          // of each source piece
  std::vector<std::string> behind;  // the pieces that V, V+1, … stand for
};

Copyable copyable(const std::vector<std::string>& source_pieces, const Vocabulary& target);

// Ids of a target with the unknown ones among its pieces by the ids that its source has for them.
Ids with_copied(Ids ids, const std::vector<std::string>& pieces, const Copyable& source,
                const Vocabulary& target);

}  // namespace heed
