#include "translate/shortlist.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../base/temporary_folder.h"

namespace heed {
namespace {

using testing::ElementsAre;

const Vocabulary kSource({"a", "b", "c", "x"});
const Vocabulary kTarget({"A", "B", "C", "x", "the"});

Lexicon lexicon() {
  const TemporaryFolder folder;
  write_plainly(folder / "lex",
                "A a 0.6\nthe a 0.3\nC a 0.1\nB b 0.7\nthe b 0.3\nC c 0.8\nthe c 0.2\n");
  return Lexicon::read(folder / "lex", kSource, kTarget);
}

Ids candidates(const ShortlistSizes& sizes, const Ids& source, const std::vector<Ids>& more = {}) {
  return *Shortlist(lexicon(), sizes, kSource, kTarget).candidates(source, more);
}

TEST(Shortlists, HaveTheBestTranslationsOfEachToken) {
  const int32_t a = kSource.id("a"), b = kSource.id("b");
  EXPECT_THAT(candidates({.best = 1, .frequent = 0}, {a}),
              ElementsAre(kUnknown, kEnd, kTarget.id("A")));
  EXPECT_THAT(candidates({.best = 1, .frequent = 0}, {b, a, a}),
              ElementsAre(kUnknown, kEnd, kTarget.id("A"), kTarget.id("B")));
  EXPECT_THAT(candidates({.best = 5, .frequent = 0}, {a}),
              ElementsAre(kUnknown, kEnd, kTarget.id("A"), kTarget.id("C"), kTarget.id("the")));
}

TEST(Shortlists, HaveFrequentTokens) {
  EXPECT_THAT(candidates({.best = 1, .frequent = 1}, {}),
              ElementsAre(kUnknown, kEnd, kTarget.id("C")));
  EXPECT_THAT(candidates({.best = 1, .frequent = 2}, {}),
              ElementsAre(kUnknown, kEnd, kTarget.id("C"), kTarget.id("the")));
}

TEST(Shortlists, HaveTheTokenItselfAndWhatIsWantedBeside) {
  EXPECT_THAT(candidates({.best = 1, .frequent = 0}, {kSource.id("x")}),
              ElementsAre(kUnknown, kEnd, kTarget.id("x")));
  EXPECT_THAT(candidates({.best = 1, .frequent = 0}, {kUnknown}, {{kTarget.id("B")}}),
              ElementsAre(kUnknown, kEnd, kTarget.id("B")));
}

}  // namespace
}  // namespace heed
