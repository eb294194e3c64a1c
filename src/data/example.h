// A training example: one line of every source and of the target, as ids.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/copyable.h"
#include "data/edges.h"
#include "text/vocabulary.h"

namespace heed {

inline constexpr const char* kSourceSide = "source";  // the name of the only source
inline constexpr const char* kTargetSide = "target";

// Tokens of the target vocabulary, ascending, kEnd among them; null: all.
using Candidates = std::shared_ptr<const Ids>;

struct Example {
  int64_t index = 0;         // of the line in its corpus (or of the sentence in what is translated)
  std::vector<Ids> sources;  // one for each named source, in the order of the names; without kBegin
                             // and kEnd
  std::optional<Edges> edges{};  // between pieces of the first source, where the corpus has them
  // Of each source the labels of its pieces, a list for each of its factors by name; empty: the model
  // has none.
  std::vector<std::vector<Ids>> factors{};
  // (source piece, target piece), where the corpus has a word alignment.
  std::optional<PiecePairs> alignment{};
  std::optional<int64_t> tag{};        // its number, where corpora have tags
  std::optional<Copyable> copyable{};  // of one source, where the model copies
  size_t copied = 0;                   // the number of that source
  Candidates candidates{};  // while translating: what the target may have of the vocabulary
  Ids target;  // without kBegin and kEnd, what can be copied alone by the ids of `copyable`; empty
               // while translating
};

// Tokens of the longest source, 0 without one.
int64_t longest_source(const Example& example);
// Tokens of the longer of source and target.
int64_t longer_side(const Example& example);

}  // namespace heed
