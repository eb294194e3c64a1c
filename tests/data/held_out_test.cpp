#include "data/held_out.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "base/random.h"

namespace heed {
namespace {

using Hashes = SentenceGroups::Hashes;

// Pairs of few sentences, so that many have one in common.
std::vector<Hashes> random_pairs(size_t count, uint64_t sentences, uint64_t seed) {
  RandomStream random(seed);
  std::vector<Hashes> sides(2);
  for (size_t i = 0; i < count; ++i) {
    for (Hashes& side : sides) side.push_back(random.below(sentences));
  }
  return sides;
}

TEST(SentenceGroups, AreConnectedByEqualSentences) {
  const SentenceGroups groups({{1, 1, 2, 3, 4, 5}, {7, 8, 8, 9, 1, 9}});
  EXPECT_EQ(groups.count(), 3);  // {0 1 2}, {3 5}, {4}: a source is no target
  EXPECT_EQ(groups.largest(), 3);
  EXPECT_EQ(groups.group(2), 0U);
  EXPECT_EQ(groups.group(5), 3U);
  EXPECT_EQ(groups.size(4), 1);
}

// Walks from pair to pair until nothing changes.
TEST(SentenceGroups, EqualThoseOfASlowSearch) {
  const std::vector<Hashes> sides = random_pairs(300, 200, 5);
  std::vector<size_t> label(300);
  for (size_t i = 0; i < label.size(); ++i) label[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < label.size(); ++i) {
      for (size_t j = 0; j < label.size(); ++j) {
        if (sides[0][i] != sides[0][j] && sides[1][i] != sides[1][j]) continue;
        if (label[j] <= label[i]) continue;
        label[j] = label[i];
        changed = true;
      }
    }
  }
  const SentenceGroups groups(sides);
  for (size_t i = 0; i < label.size(); ++i) EXPECT_EQ(groups.group(i), label[i]);
}

TEST(HoldOut, DividesNoSentence) {
  const std::vector<Hashes> sides = random_pairs(2000, 4000, 3);
  const SentenceGroups groups(sides);
  const auto parts = hold_out(groups, {200, 100}, 1);
  std::map<CorpusPart, int> counts;
  for (const Hashes& side : sides) {
    std::map<uint64_t, std::set<CorpusPart>> where;
    for (size_t i = 0; i < parts.size(); ++i) where[side[i]].insert(parts[i]);
    for (const auto& [sentence, found] : where) EXPECT_EQ(found.size(), 1U) << sentence;
  }
  for (const CorpusPart part : parts) ++counts[part];
  EXPECT_EQ(counts[CorpusPart::kValid], 200);
  EXPECT_EQ(counts[CorpusPart::kTest], 100);
}

TEST(HoldOut, IsAFunctionOfTheSeed) {
  const SentenceGroups groups(random_pairs(500, 4000, 3));
  EXPECT_EQ(hold_out(groups, {50, 50}, 1), hold_out(groups, {50, 50}, 1));
  EXPECT_NE(hold_out(groups, {50, 50}, 1), hold_out(groups, {50, 50}, 2));
}

TEST(HoldOut, TakesLargeGroupsOnlyWhereNothingElseIsLeft) {
  std::vector<Hashes> sides(2);
  for (uint64_t i = 0; i < 100; ++i) {
    sides[0].push_back(i < 40 ? 0 : i);  // a group of 40 and 60 single pairs
    sides[1].push_back(1000 + i);
  }
  const SentenceGroups groups(sides);
  const auto count = [&](HeldOut wanted, CorpusPart part) {
    return std::ranges::count(hold_out(groups, wanted, 1), part);
  };
  EXPECT_EQ(count({50, 0}, CorpusPart::kValid), 50);
  EXPECT_EQ(hold_out(groups, {50, 0}, 1)[0], CorpusPart::kTrain);
  EXPECT_EQ(hold_out(groups, {80, 0}, 1)[0], CorpusPart::kTrain);  // 60 single ones are not enough,
  EXPECT_EQ(count({80, 0}, CorpusPart::kValid), 60);               // and 40 more are too many
  EXPECT_EQ(count({59, 40}, CorpusPart::kTest), 1);
}

}  // namespace
}  // namespace heed
