// Training example: one line of every source and of the target, as ids.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/copyable.h"
#include "data/edges.h"
#include "data/supporting_facts.h"
#include "text/vocabulary.h"

namespace heed {

inline constexpr const char* kSourceSide = "source";  // the name of the only source
inline constexpr const char* kTargetSide = "target";

// Tokens of the target vocabulary in ascending order, kEnd among them; null: all tokens.
using Candidates = std::shared_ptr<const Ids>;

struct Example {
  int64_t index = 0;         // of the line in its corpus (or of the sentence in the input)
  std::vector<Ids> sources;  // one for each named source, in the order of the names; without kBegin
                             // and kEnd
  std::optional<Edges> edges{};  // between pieces of the first source, where the corpus has them
  // Labels of the pieces of each source: one list for each of its factors by name. Empty if the
  // model does not use factors.
  std::vector<std::vector<Ids>> factors{};
  // (source piece, target piece), if the corpus has a word alignment.
  std::optional<PiecePairs> alignment{};
  std::optional<SupportingFacts> supporting_facts{};  // of the same source
  std::optional<int64_t> tag{};                       // number of the tag, if corpora have tags
  std::optional<Copyable> copyable{};                 // of one source, if the model copies
  size_t copied = 0;                                  // the number of that source
  Candidates candidates{};  // in translation: allowed tokens of the target
  Ids target;  // without kBegin and kEnd, what can be copied alone by the ids of `copyable`; empty
               // while translating
};

// Number of tokens of the longest source, 0 without a source.
int64_t longest_source(const Example& example);
// Number of tokens of the longer of source and target.
int64_t longer_side(const Example& example);

}  // namespace heed
