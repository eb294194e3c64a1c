#include "search/constraint.h"

#include <algorithm>

namespace heed {

namespace {

struct Never final : Constraint {
  explicit Never(std::vector<int32_t> t) : tokens(std::move(t)) {}
  void limit(const Ids&, NextToken& next) const override {
    next.banned.insert(next.banned.end(), tokens.begin(), tokens.end());
  }
  std::vector<int32_t> tokens;
};

struct NeverAt final : Constraint {
  NeverAt(int64_t p, std::vector<int32_t> t) : position(p), tokens(std::move(t)) {}
  void limit(const Ids& so_far, NextToken& next) const override {
    if (std::ssize(so_far) == position)
      next.banned.insert(next.banned.end(), tokens.begin(), tokens.end());
  }
  int64_t position;
  std::vector<int32_t> tokens;
};

struct MinLength final : Constraint {
  explicit MinLength(int64_t t) : tokens(t) {}
  void limit(const Ids& so_far, NextToken& next) const override {
    if (std::ssize(so_far) < tokens) next.banned.push_back(kEnd);
  }
  int64_t tokens;
};

struct MaxLength final : Constraint {
  explicit MaxLength(int64_t t) : tokens(t) {}
  void limit(const Ids& so_far, NextToken& next) const override {
    if (std::ssize(so_far) >= tokens) next.forced = kEnd;
  }
  int64_t tokens;
};

struct NoRepeats final : Constraint {
  explicit NoRepeats(int64_t count) : n(count) {}
  void limit(const Ids& so_far, NextToken& next) const override {
    if (std::ssize(so_far) < n) return;
    const auto last = so_far.end() - (n - 1);  // where the last n - 1 begin
    for (auto begin = so_far.begin(); begin != last; ++begin) {
      if (std::equal(last, so_far.end(), begin)) next.banned.push_back(*(begin + (n - 1)));
    }
  }
  int64_t n;
};

struct BeginsWith final : Constraint {
  explicit BeginsWith(Ids p) : prefix(std::move(p)) {}
  void limit(const Ids& so_far, NextToken& next) const override {
    if (so_far.size() < prefix.size()) next.forced = prefix[so_far.size()];
  }
  Ids prefix;
};

struct NeverPhrase final : Constraint {
  NeverPhrase(Ids p, std::shared_ptr<const WordJoins> j)
      : phrase(std::move(p)), joins(std::move(j)) {}
  void limit(const Ids& so_far, NextToken& next) const override {
    const auto before = std::ssize(phrase) - 1;
    if (std::ssize(so_far) >= before &&
        std::equal(phrase.begin(), phrase.end() - 1, so_far.end() - before) &&
        begins_word(so_far, std::ssize(so_far) - before))
      next.banned.push_back(phrase.back());
  }
  bool begins_word(const Ids& so_far, int64_t begin) const {
    return joins == nullptr || begin == 0 ||
           !joins->join(so_far[static_cast<size_t>(begin) - 1], phrase.front());
  }
  Ids phrase;
  std::shared_ptr<const WordJoins> joins;
};

}  // namespace

std::shared_ptr<const Constraint> never(std::vector<int32_t> tokens) {
  return std::make_shared<Never>(std::move(tokens));
}
std::shared_ptr<const Constraint> never_at(int64_t position, std::vector<int32_t> tokens) {
  return std::make_shared<NeverAt>(position, std::move(tokens));
}
std::shared_ptr<const Constraint> min_length(int64_t tokens) {
  return std::make_shared<MinLength>(tokens);
}
std::shared_ptr<const Constraint> max_length(int64_t tokens) {
  return std::make_shared<MaxLength>(tokens);
}
std::shared_ptr<const Constraint> no_repeats(int64_t n) { return std::make_shared<NoRepeats>(n); }
std::shared_ptr<const Constraint> begins_with(Ids prefix) {
  return std::make_shared<BeginsWith>(std::move(prefix));
}

std::shared_ptr<const Constraint> never_phrase(Ids phrase, std::shared_ptr<const WordJoins> joins) {
  return std::make_shared<NeverPhrase>(std::move(phrase), std::move(joins));
}

NextToken next_token(const Constraints& constraints, const Ids& so_far) {
  NextToken next;
  for (const auto& constraint : constraints) constraint->limit(so_far, next);
  return next;
}

}  // namespace heed
