// Phrases that a target has to contain (lexical constraints: Hokamp and Liu 2017), and how much of
// them a hypothesis contains.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "text/vocabulary.h"

namespace heed {

class Phrases {
 public:
  // The tokens of each phrase, at least one. A phrase that is given twice has to occur twice.
  // continuations: tokens, by id, that make a word that ends before them longer; where one follows,
  // a phrase does not count: "in" does not occur in "into". None begins a phrase. nullptr: none.
  explicit Phrases(std::vector<Ids> phrases,
                   std::shared_ptr<const std::vector<bool>> continuations = nullptr);

  int64_t tokens() const { return tokens_; }  // of all phrases

  struct Occurrence {
    int64_t begin, end;  // positions in the target
  };
  struct Progress {
    int64_t met = 0;  // tokens of phrases that occur, and of the one at the end
    std::vector<Occurrence> occurrences{};  // of these, without overlaps
    std::vector<int32_t> next{};  // that begin an unmet phrase or continue the one at the end
  };
  // Occurrences do not overlap. From left to right each phrase counts where it ends, the longest
  // first, but not while as many tokens of another that is unmet stand there: with "a b a" and "b",
  // "a b" is two tokens of the first. So one of the next tokens always adds one to those met.
  Progress of(const Ids& target) const;
  int64_t met(const Ids& target) const { return of(target).met; }

 private:
  std::vector<Ids> phrases_;  // the longest first
  std::shared_ptr<const std::vector<bool>> continuations_;
  int64_t tokens_ = 0;
};

}  // namespace heed
