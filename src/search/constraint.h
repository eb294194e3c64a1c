// What may follow in a target: rules that compose. Search asks all rules of a sentence for each of its
// hypotheses, before each token.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "text/vocabulary.h"

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

// These tokens are not generated.
std::shared_ptr<const Constraint> never(std::vector<int32_t> tokens);
// kEnd not before so many tokens.
std::shared_ptr<const Constraint> min_length(int64_t tokens);
// Nothing but kEnd after so many.
std::shared_ptr<const Constraint> max_length(int64_t tokens);
// n-gram blocking: no n-gram occurs twice (Paulus et al. 2018, section 2.5).
std::shared_ptr<const Constraint> no_repeats(int64_t n);
// The target begins with these, if none of them has probability 0.
std::shared_ptr<const Constraint> begins_with(Ids prefix);

NextToken next_token(const Constraints& constraints, const Ids& so_far);

}  // namespace heed
