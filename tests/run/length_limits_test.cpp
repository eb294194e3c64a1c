#include "run/length_limits.h"

#include <gtest/gtest.h>

#include "holds.h"

namespace heed {
namespace {

// lengths: source and target tokens of each sentence.
EvaluationSet set_of(const std::vector<std::pair<size_t, size_t>>& lengths) {
  EvaluationSet set;
  set.name = "valid";
  for (const auto& [source, target] : lengths) {
    set.references.emplace_back();
    set.examples.push_back({.index = std::ssize(set.examples),
                            .sources = {Ids(source, kSpecials)},
                            .target = Ids(target, kSpecials)});
  }
  return set;
}

// At most 2 × source + 3 tokens.
SearchConfig search() {
  SearchConfig config;
  config.max_length_extra = 3;
  return config;
}

TEST(FindCuts, NamesReferencesThatSearchCannotReach) {
  holds({"search.max_length_ratio", "search.max_length_extra"});
  EXPECT_TRUE(find_cuts(set_of({{4, 11}, {1, 5}}), search(), {}).empty());
  EXPECT_EQ(find_cuts(set_of({{4, 11}, {4, 12}, {1, 5}, {2, 12}}), search(), {}),
            (std::vector<std::string>{
                "valid: 2 of 4 references are longer than search allows, the first is line 2 with "
                "12 tokens (at most 11): no translation can equal them, and scores are too low; "
                "search.max_length_ratio: 4.5 is enough for all"}));
}

// The ratio that is named is enough, and a tenth less is not.
TEST(FindCuts, NamesTheLeastRatio) {
  const EvaluationSet set = set_of({{3, 40}, {7, 61}});
  SearchConfig config = search();
  config.max_length_ratio = 12.4;
  EXPECT_TRUE(find_cuts(set, config, {}).empty());
  config.max_length_ratio = 12.3;
  ASSERT_EQ(find_cuts(set, config, {}).size(), 1U);
  EXPECT_NE(find_cuts(set, config, {})[0].find("max_length_ratio: 12.4 "), std::string::npos);
}

// The key takes no ratio of more than 1000.
TEST(FindCuts, NamesTheTokensThatAreAddedWhereNoRatioIsEnough) {
  const EvaluationSet set = set_of({{1, 2000}, {2, 2001}});
  SearchConfig config = search();
  EXPECT_NE(find_cuts(set, config, {}).at(0).find("search.max_length_extra: 1998 is enough"),
            std::string::npos);
  config.max_length_extra = 1998;
  EXPECT_TRUE(find_cuts(set, config, {}).empty());
}

TEST(FindCuts, NamesSourcesThatSearchDoesNotRead) {
  holds({"search.max_source_length"});
  SearchConfig config = search();
  config.max_source_length = 5;
  EXPECT_TRUE(find_cuts(set_of({{5, 1}}), config, {}).empty());
  EXPECT_EQ(find_cuts(set_of({{5, 1}, {8, 1}, {6, 1}}), config, {}),
            (std::vector<std::string>{
                "valid: 2 of 3 source lines are longer than search reads, the first is line 2 with "
                "8 tokens (at most 5): they are cut for translation; search.max_source_length: 8 "
                "is enough for all"}));
  config.max_source_length.reset();
  EXPECT_EQ(find_cuts(set_of({{2049, 1}}), config, {.trained = 100}).size(), 1U);
  EXPECT_TRUE(find_cuts(set_of({{2049, 1}}), config, {.trained = 2049}).empty());
}

TEST(FindCuts, NamesTextsThatAreLongerThanATableOfPositions) {
  const KnownLengths known{.source_positions = 4, .target_positions = 5};
  EXPECT_TRUE(find_cuts(set_of({{4, 5}}), search(), known).empty());
  EXPECT_EQ(find_cuts(set_of({{4, 6}, {5, 5}, {7, 1}}), search(), known),
            (std::vector<std::string>{
                "valid: 2 of 3 source lines are longer than the model's table of positions, the "
                "first is line 2 with 5 tokens (at most 4): later tokens share the last position",
                "valid: 1 of 3 references are longer than the model's table of positions, the "
                "first is line 1 with 6 tokens (at most 5): later tokens share the last "
                "position"}));
}

TEST(FindCuts, NamesSourcesWithPositionsThatHaveNoScore) {
  const KnownLengths known{.scored_positions = 4};
  EXPECT_TRUE(find_cuts(set_of({{4, 5}}), search(), known).empty());
  EXPECT_EQ(find_cuts(set_of({{4, 5}, {6, 5}}), search(), known),
            (std::vector<std::string>{
                "valid: 1 of 2 source lines are longer than score: location_based knows, the "
                "first is line 2 with 6 tokens (at most 4): later tokens are not read; a larger "
                "max_positions reads them"}));
}

TEST(FindCuts, TakesTheLongestOfSeveralSources) {
  EvaluationSet set = set_of({{1, 7}});
  EXPECT_EQ(find_cuts(set, search(), {}).size(), 1U);
  set.examples[0].sources.push_back(Ids(2, kSpecials));
  EXPECT_TRUE(find_cuts(set, search(), {}).empty());
}

}  // namespace
}  // namespace heed
