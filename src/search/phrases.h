// Phrases that a target has to contain (lexical constraints: Hokamp and Liu 2017), and how much of
// them a hypothesis contains.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "text/vocabulary.h"
#include "text/word_joins.h"

namespace heed {

// A phrase in one or more forms, such as the inflected forms of a word: one of them has to occur. Each
// has at least one token.
struct RequiredPhrase {
  std::vector<Ids> forms;
  RequiredPhrase(Ids only) : forms{std::move(only)} {}
  RequiredPhrase(std::initializer_list<int32_t> only) : forms{Ids(only)} {}
  explicit RequiredPhrase(std::vector<Ids> any) : forms(std::move(any)) {}
  int64_t longest() const;  // tokens
};
std::vector<RequiredPhrase> required(const std::vector<Ids>& phrases);

class Phrases {
 public:
  // A phrase that is given twice has to occur twice.
  // joins: a phrase does not count where the tokens before or behind it make its word longer: "in"
  // occurs neither in "into" nor in "cabin". nullptr: none do.
  explicit Phrases(std::vector<RequiredPhrase> phrases,
                   std::shared_ptr<const WordJoins> joins = nullptr);
  Phrases(Phrases&&) = default;

  int64_t tokens() const { return tokens_; }  // of the shortest forms of all phrases

  struct Occurrence {
    int64_t begin, end;  // positions in the target
  };
  struct Progress {
    // tokens() without those that are missing, spaces apart. A phrase that occurs in a longer form
    // counts as its shortest.
    int64_t met = 0;
    std::vector<Occurrence> occurrences{};  // of these, without overlaps
    std::vector<int32_t> next{};  // that begin an unmet phrase or continue the one at the end
    // Tokens that the shortest forms of the unmet ones take at most, with spaces before them.
    int64_t missing = 0;
  };
  // Occurrences do not overlap. From left to right each phrase counts where it ends, the longest
  // first, but not while as many tokens of another that is unmet stand there and count: with "a b a" and
  // "b", "a b" is two tokens of the first. So one of the next tokens always leaves one less missing, unless
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

  struct Form {
    Ids ids;
    size_t phrase;  // its number
    int64_t least;  // tokens of the shortest form of the phrase
  };
  std::vector<Form> forms_;  // the longest first
  std::shared_ptr<const WordJoins> joins_;
  int64_t tokens_ = 0;
  // before_last() of the targets that were extended last.
  mutable std::map<Ids, std::shared_ptr<const Unmet>> read_;
};

}  // namespace heed
