// Constraints on the next target token. Search applies all constraints of a sentence to each of its
// hypotheses before each token.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "text/vocabulary.h"
#include "text/word_joins.h"

namespace heed {

// The next token of a hypothesis.
struct NextToken {
  std::vector<int32_t> banned;
  std::optional<int32_t> forced;  // the only one, even if it is banned
};

class Constraint {
 public:
  virtual ~Constraint() = default;
  // so_far: the tokens of a hypothesis, without kBegin.
  virtual void limit(const Ids& so_far, NextToken& next) const = 0;
};
using Constraints = std::vector<std::shared_ptr<const Constraint>>;

// Bans these tokens.
std::shared_ptr<const Constraint> never(std::vector<int32_t> tokens);
// Bans these tokens at one position: after this number of tokens.
std::shared_ptr<const Constraint> never_at(int64_t position, std::vector<int32_t> tokens);
// Bans kEnd before this number of tokens.
std::shared_ptr<const Constraint> min_length(int64_t tokens);
// Forces kEnd after this number of tokens.
std::shared_ptr<const Constraint> max_length(int64_t tokens);
// n-gram blocking: no n-gram occurs twice (Paulus et al. 2018, section 2.5).
std::shared_ptr<const Constraint> no_repeats(int64_t n);
// Forces a prefix of the target, unless one of its tokens has probability 0.
std::shared_ptr<const Constraint> begins_with(Ids prefix);

// Bans the last token of a phrase, not empty, after the other tokens of the phrase. The occurrence
// has to begin at the beginning of a word. joins: which tokens make one word; nullptr: no tokens
// are joined.
std::shared_ptr<const Constraint> never_phrase(Ids phrase,
                                               std::shared_ptr<const WordJoins> joins = nullptr);

NextToken next_token(const Constraints& constraints, const Ids& so_far);

}  // namespace heed
