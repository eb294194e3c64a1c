// Phrases that a target has to contain (lexical constraints: Hokamp and Liu 2017), and how much of
// them a hypothesis contains.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "text/vocabulary.h"
#include "text/word_joins.h"

namespace heed {

class Phrases {
 public:
  // The tokens of each phrase, at least one. A phrase that is given twice has to occur twice.
  // joins: a phrase does not count where the tokens before or behind it make its word longer: "in"
  // occurs neither in "into" nor in "cabin". nullptr: none do.
  explicit Phrases(std::vector<Ids> phrases, std::shared_ptr<const WordJoins> joins = nullptr);
  Phrases(Phrases&&) = default;

  int64_t tokens() const { return tokens_; }  // of all phrases

  struct Occurrence {
    int64_t begin, end;  // positions in the target
  };
  struct Progress {
    int64_t met = 0;  // tokens of phrases that occur, and of the one at the end
    std::vector<Occurrence> occurrences{};  // of these, without overlaps
    std::vector<int32_t> next{};  // that begin an unmet phrase or continue the one at the end
    int64_t missing = 0;  // tokens that the unmet ones take at most, with spaces before them
  };
  // Occurrences do not overlap. From left to right each phrase counts where it ends, the longest
  // first, but not while as many tokens of another that is unmet stand there: with "a b a" and "b",
  // "a b" is two tokens of the first. So one of the next tokens always leaves one less missing, unless
  // a phrase cannot begin behind the last one and no token is a space: then the model has to end the
  // word.
  // A target that is longer by one than those before it is read from where they end. Not from several
  // threads at once.
  Progress of(const Ids& target) const;
  int64_t met(const Ids& target) const { return of(target).met; }

 private:
  struct Unmet;
  // The phrases that are left when all tokens of the target but the last are read.
  std::shared_ptr<const Unmet> before_last(const Ids& target) const;

  std::vector<Ids> phrases_;  // the longest first
  std::shared_ptr<const WordJoins> joins_;
  int64_t tokens_ = 0;
  // before_last() of the targets that were extended last.
  mutable std::map<Ids, std::shared_ptr<const Unmet>> read_;
};

}  // namespace heed
