#include "search/constraint.h"
#include "holds.h"

#include <gtest/gtest.h>

namespace heed {
namespace {

using Banned = std::vector<int32_t>;

TEST(Constraint, TokensThatAreNeverGenerated) {
  const NextToken next = next_token({never({kPad, kBegin}), never({kUnknown})}, {7});
  EXPECT_EQ(next.banned, (Banned{kPad, kBegin, kUnknown}));
  EXPECT_FALSE(next.forced);
}

TEST(Constraint, TokensThatAreNotGeneratedAtOnePosition) {
  const Constraints constraints = {never_at(1, {kEnd, 8})};
  EXPECT_EQ(next_token(constraints, {}).banned, Banned{});
  EXPECT_EQ(next_token(constraints, {7}).banned, (Banned{kEnd, 8}));
  EXPECT_EQ(next_token(constraints, {7, 7}).banned, Banned{});
}

TEST(Constraint, LengthsFromTo) {
  const Constraints constraints = {min_length(1), max_length(3)};
  EXPECT_EQ(next_token(constraints, {}).banned, Banned{kEnd});
  EXPECT_EQ(next_token(constraints, {7}).banned, Banned{});
  EXPECT_FALSE(next_token(constraints, {7, 7}).forced);
  EXPECT_EQ(next_token(constraints, {7, 7, 7}).forced, kEnd);
}

TEST(Constraint, NoSequenceComesTwice) {
  holds({"--no-repeat-ngram", "search.no_repeat_ngram"});
  const auto banned = [](int64_t n, const Ids& so_far) {
    return next_token({no_repeats(n)}, so_far).banned;
  };
  EXPECT_EQ(banned(2, {}), Banned{});
  EXPECT_EQ(banned(2, {7}), Banned{});
  EXPECT_EQ(banned(2, {7, 8}), Banned{});
  EXPECT_EQ(banned(2, {7, 8, 7}), Banned{8});
  EXPECT_EQ(banned(2, {7, 8, 7, 7}), (Banned{8, 7}));
  EXPECT_EQ(banned(2, {7, 8, 7, 7, 9}), Banned{});
  EXPECT_EQ(banned(3, {7, 8, 9, 7, 8}), Banned{9});
  EXPECT_EQ(banned(1, {7, 8}), (Banned{7, 8}));
}

TEST(Constraint, APrefixIsForcedWhateverElseIsBanned) {
  const Constraints constraints = {begins_with({8, 8}), no_repeats(1), max_length(2)};
  EXPECT_EQ(next_token(constraints, {}).forced, 8);
  EXPECT_EQ(next_token(constraints, {8}).forced, 8);
  EXPECT_EQ(next_token(constraints, {8}).banned, Banned{8});
  EXPECT_EQ(next_token(constraints, {8, 8}).forced, kEnd);
}

TEST(NeverPhrase, IsBannedAsAWord) {
  const int32_t i = kSpecials, n = i + 1, space = i + 2;
  std::vector<bool> letters(static_cast<size_t>(space) + 1);
  letters[static_cast<size_t>(i)] = letters[static_cast<size_t>(n)] = true;
  const auto in =
      never_phrase({i, n}, std::make_shared<const WordJoins>(WordJoins{letters, letters, space}));
  EXPECT_EQ(next_token({in}, {i}).banned, Banned{n});
  EXPECT_EQ(next_token({in}, {n, space, i}).banned, Banned{n});
  EXPECT_TRUE(next_token({in}, {n, i}).banned.empty()) << "the end of a longer word";
}

}  // namespace
}  // namespace heed
