// Diverse beam search over a table of probabilities, held against the algorithm of the paper over
// whole lists of paths.
#include "search/diverse_beam.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "holds.h"
#include "search/search.h"
#include "search/table_engine.h"

namespace heed {
namespace {

constexpr size_t kLongest = 5;

SearchConfig diverse(int64_t beam, int64_t groups, double strength, int64_t nbest) {
  SearchConfig config;
  config.beam = beam;
  config.diversity_groups = groups;
  config.diversity_strength = strength;
  config.nbest = nbest;
  config.length_penalty = 0;
  config.max_length_ratio = 0;
  config.max_length_extra = kLongest;
  config.patience = 1000;
  return config;
}

struct Path {
  Ids ids;
  double log_probability = 0, rank = 0;
};

bool more_probable(const Path& a, const Path& b) { return a.log_probability > b.log_probability; }

// One group of the reference.
struct Group {
  size_t size;
  std::vector<Path> living = {Path()}, ended = {};
  bool done = false;

  // counts: of the tokens that the groups before have at this position.
  void advance(int32_t source, size_t wanted, double strength,
               const std::map<int32_t, int64_t>& counts) {
    std::vector<Path> all;
    for (const Path& path : living) {
      const size_t t = path.ids.size();
      for (const int32_t id : {kUnknown, kEnd, kSpecials, kSpecials + 1, kSpecials + 2}) {
        if (t == kLongest && id != kEnd) continue;
        Path longer = path;
        longer.log_probability += Table()(source, t + 1, t == 0 ? kBegin : path.ids.back(), id);
        const auto count = counts.find(id);
        longer.rank = longer.log_probability -
                      (count == counts.end() ? 0 : strength * static_cast<double>(count->second));
        longer.ids.push_back(id);
        all.push_back(longer);
      }
    }
    std::ranges::sort(all, std::greater(), &Path::rank);
    living.clear();
    for (size_t i = 0; i < std::min(all.size(), 2 * size); ++i) {
      const bool ends = all[i].ids.back() == kEnd;
      if (ends && i < size) ended.push_back(all[i]);
      if (!ends && living.size() < size) living.push_back(all[i]);
    }
    std::ranges::sort(ended, more_probable);
    done = living.empty() ||
           (ended.size() >= wanted && std::ranges::none_of(living, [&](const Path& path) {
              return more_probable(path, ended[wanted - 1]);
            }));
  }
};

std::vector<Path> reference(int32_t source, const SearchConfig& config) {
  const auto count = static_cast<size_t>(config.diversity_groups);
  const auto beam = static_cast<size_t>(config.beam), nbest = static_cast<size_t>(config.nbest);
  std::vector<Group> groups;
  for (size_t g = 0; g < count; ++g) groups.push_back({beam / count + (g < beam % count ? 1 : 0)});
  while (std::ranges::any_of(groups, [](const Group& group) { return !group.done; })) {
    std::map<int32_t, int64_t> counts;
    for (Group& group : groups) {
      if (group.done) continue;
      group.advance(source, std::min(nbest, group.size), config.diversity_strength, counts);
      for (const Path& path : group.living) ++counts[path.ids.back()];
    }
  }
  std::vector<Path> found;
  for (const Group& group : groups) {
    for (size_t i = 0; i < std::min({nbest, group.size, group.ended.size()}); ++i) {
      const Path& path = group.ended[i];
      if (std::ranges::count(found, path.ids, &Path::ids) == 0) found.push_back(path);
    }
  }
  std::ranges::sort(found, more_probable);
  found.resize(std::min(found.size(), nbest));
  return found;
}

std::vector<Hypothesis> found_of(int32_t source, const SearchConfig& config) {
  return search(FakeEngine(), {{.source = sentence(source), .config = config}}).front();
}

TEST(DiverseBeam, FindsWhatTheAlgorithmOfThePaperFinds) {
  holds({"search.diversity_groups", "search.diversity_strength"});
  int64_t differing = 0;  // from a plain beam
  for (int32_t source = 4; source < 60; ++source) {
    for (const int64_t groups : {2, 3, 5}) {
      const SearchConfig config = diverse(6, groups, 0.7, 4);
      const auto found = found_of(source, config);
      const auto expected = reference(source, config);
      SCOPED_TRACE(testing::Message() << "source " << source << ", groups " << groups);
      ASSERT_EQ(found.size(), expected.size());
      for (size_t k = 0; k < found.size(); ++k) {
        Ids ids = expected[k].ids;
        ids.pop_back();  // kEnd
        EXPECT_EQ(found[k].ids, ids);
        EXPECT_NEAR(found[k].log_probability, expected[k].log_probability, 1e-12);
      }
      const auto plain = found_of(source, diverse(6, 1, 0.7, 4));
      differing += found.size() != plain.size() ||
                   !std::ranges::equal(found, plain, {}, &Hypothesis::ids, &Hypothesis::ids);
    }
  }
  EXPECT_GT(differing, 50);
}

// First tokens of all translations of a table.
std::set<int32_t> first_tokens(const std::vector<Hypothesis>& found) {
  std::set<int32_t> tokens;
  for (const Hypothesis& one : found) tokens.insert(one.ids.empty() ? kEnd : one.ids.front());
  return tokens;
}

TEST(DiverseBeam, AStrongPenaltyGivesEachGroupATokenOfItsOwn) {
  size_t plain = 0, strong = 0;
  for (int32_t source = 4; source < 40; ++source) {
    plain += first_tokens(found_of(source, diverse(3, 1, 0, 3))).size();
    SearchConfig config = diverse(3, 3, 100, 3);
    config.min_length = 1;
    const auto found = found_of(source, config);
    strong += first_tokens(found).size();
    EXPECT_EQ(first_tokens(found).size(), 3) << "source " << source;
  }
  EXPECT_LT(plain, strong);
}

TEST(DiverseBeam, WithoutPenaltyItsGroupsFindTheSameWhichIsGivenOnce) {
  for (int32_t source = 4; source < 20; ++source) {
    const auto found = found_of(source, diverse(4, 2, 0, 4)),
               plain = found_of(source, diverse(2, 1, 0, 2));
    ASSERT_EQ(found.size(), plain.size());
    for (size_t k = 0; k < found.size(); ++k) EXPECT_EQ(found[k].ids, plain[k].ids);
  }
}

TEST(DiverseBeam, MoreGroupsThanHypothesesAreAsManyGroups) {
  const auto found = found_of(5, diverse(2, 7, 1, 2)), expected = found_of(5, diverse(2, 2, 1, 2));
  ASSERT_EQ(found.size(), expected.size());
  for (size_t k = 0; k < found.size(); ++k) EXPECT_EQ(found[k].ids, expected[k].ids);
}

}  // namespace
}  // namespace heed
