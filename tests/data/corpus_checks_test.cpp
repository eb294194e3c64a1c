#include "data/corpus_checks.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "data_test_tools.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Sentences of both languages: the target has as many words as the source, and words of its own.
struct Pair {
  std::string source, target;
};

Pair sentence(int number) {
  Pair pair;
  const uint64_t random = mix64(static_cast<uint64_t>(number) + 77);
  const uint64_t words = 3 + random % 18;
  for (uint64_t i = 0; i < words; ++i) {
    const uint64_t word = mix64(random + i) % 300;
    pair.source += fmt::format("{}s{}", i ? " " : "", word);
    pair.target += fmt::format("{}t{}", i ? " " : "", word);
  }
  return pair;
}

class CorpusChecksTest : public testing::Test {
 protected:
  // Pairs first … first + count - 1 as NAME.s and NAME.t.
  CorpusFiles write(const std::string& name, int first, int count) {
    std::string source, target;
    for (int i = first; i < first + count; ++i) {
      const Pair pair = sentence(i);
      source += pair.source + '\n';
      target += pair.target + '\n';
    }
    return write(name, source, target);
  }
  CorpusFiles write(const std::string& name, const std::string& source, const std::string& target) {
    write_plainly(folder / (name + ".s"), source);
    write_plainly(folder / (name + ".t"), target);
    return corpus_files({folder / (name + ".s")}, {folder / (name + ".t")});
  }
  static CorpusFiles swapped(CorpusFiles files) {
    std::swap(files.sides[0], files.sides[1]);
    return files;
  }
  static std::vector<std::string> check(const std::vector<CorpusFiles>& train,
                                        const std::vector<ComparedSet>& sets = {},
                                        std::vector<bool> tabs_expected = {false, false}) {
    return check_corpora(TrainingText(train), {sets, std::move(tabs_expected)}).warnings;
  }

  TemporaryFolder folder;
};

TEST_F(CorpusChecksTest, FindsNothingInWhatIsRight) {
  const CorpusFiles train = write("train", 0, 3000), valid = write("valid", 5000, 300);
  EXPECT_THAT(check({train, write("more", 3000, 500)}, {{"valid", valid}}), IsEmpty());
}

TEST_F(CorpusChecksTest, FindsAShiftedValidationSet) {
  std::string source, target;
  for (int i = 5000; i < 5400; ++i) {
    source += sentence(i).source + '\n';
    target += sentence(i + 1).target + '\n';
  }
  EXPECT_THAT(check({write("train", 0, 1000)}, {{"valid", write("valid", source, target)}}),
              ElementsAre(AllOf(HasSubstr("data.valid: lines look shifted"),
                                HasSubstr("target line N-1;"))));
}

TEST_F(CorpusChecksTest, FindsThatMostPairsAreTooLong) {
  const TrainingText text({write("train", 0, 1000)});  // 3 to 20 words
  const auto checked = [&text](int64_t longest, TooLong too_long) {
    return check_corpora(
        text, {{}, {false, false}, Cleaning{.max_length = longest, .too_long = too_long}});
  };
  const CorpusFindings six = checked(6, TooLong::kDrop);
  EXPECT_THAT(
      six.warnings,
      ElementsAre(AllOf(HasSubstr("pairs have more words than data.max_length: 6 allows"))));
  EXPECT_EQ(six.certain.corpora.at(0).kept + six.certain.corpora.at(0).too_long, 1000);
  EXPECT_THAT(checked(20, TooLong::kDrop).warnings, IsEmpty());
  EXPECT_EQ(checked(20, TooLong::kDrop).certain.kept(), 1000);
  EXPECT_EQ(checked(6, TooLong::kTruncate).certain.kept(), 1000);
}

TEST_F(CorpusChecksTest, CountsWhatIsLeftOutForCertain) {
  const TrainingText text({write("train", "a\n\nc\nd\n", "a\nb\n\xff\nd\n")});
  const CorpusCount count = check_corpora(text, {{}, {false, false}}).certain.corpora.at(0);
  EXPECT_EQ(count.pairs, 4);
  EXPECT_EQ(count.kept, 2);
  EXPECT_EQ(count.empty, 1);
  EXPECT_EQ(count.malformed, 1);
}

TEST_F(CorpusChecksTest, FindsASourceThatIsItsTarget) {
  std::string text, other;
  for (int i = 0; i < 30; ++i) {
    text += sentence(i).source + '\n';
    other += (i < 16 ? sentence(i).source : sentence(i).target) + '\n';
  }
  EXPECT_THAT(check({write("train", text, other)}),
              ElementsAre(AllOf(HasSubstr("train.s + train.t: "),
                                HasSubstr("the same line in 16 of 30 pairs"))));
}

TEST_F(CorpusChecksTest, FindsTablesWhereNoTabIsExpected) {
  std::string table, target;
  for (int i = 0; i < 20; ++i) {
    table += sentence(i).source + (i < 11 ? "\t" : " ") + sentence(i).target + '\n';
    target += sentence(i).target + '\n';
  }
  const CorpusFiles train = write("train", table, target);
  EXPECT_THAT(check({train}), ElementsAre(AllOf(HasSubstr("train.s: 11 of 20 lines have a tab"),
                                                HasSubstr("cut -f1"))));
  EXPECT_THAT(check({train}, {}, {true, false}), IsEmpty());
}

TEST_F(CorpusChecksTest, FindsWhereLinesAreShifted) {
  for (const int shift : {1, -1, 4}) {
    SCOPED_TRACE(shift);
    std::string source, target;
    for (int i = 0; i < 4000; ++i) {
      source += sentence(i).source + '\n';
      target += sentence(i < 2000 ? i : i - shift).target + '\n';
    }
    EXPECT_THAT(check({write("train", source, target)}),
                ElementsAre(AllOf(HasSubstr("from about line 2,001 on"),
                                  HasSubstr(fmt::format("target line N{:+};", shift)))));
  }
}

TEST_F(CorpusChecksTest, FindsPairsOfASetInTheTrainingData) {
  const CorpusFiles train = write("train", 0, 3000);
  EXPECT_THAT(
      check({train}, {{"valid", write("valid", 2990, 100)}, {"test.a", write("few", 2999, 150)}}),
      ElementsAre(AllOf(HasSubstr("data.valid: 10 of 100 pairs are training pairs too"),
                        HasSubstr("line 1 is line 2,991 of train.s + train.t"))));
}

TEST_F(CorpusChecksTest, FindsSidesThatAreSwapped) {
  const CorpusFiles train = write("train", 0, 3000);
  EXPECT_THAT(check({train}, {{"valid", swapped(write("valid", 5000, 300))}}),
              ElementsAre(HasSubstr("data.valid: source and target look swapped")));
  CorpusFiles more = swapped(write("more", 3000, 300));
  more.name = "more";
  EXPECT_THAT(check({train, more}), ElementsAre(HasSubstr("more: source and target look swapped")));
  more.tag = "back";  // one model of both directions
  CorpusFiles first = train;
  first.tag = "there";
  EXPECT_THAT(check({first, more}), IsEmpty());
}

TEST(CorpusReport, WantsAShareOfThePairs) {
  CorpusReport report;
  report.corpora = {{.name = "a + b", .pairs = 100, .kept = 49, .too_long = 51}};
  report.require(0.49);
  try {
    report.require(0.5);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("a + b: 100 pairs, 49 kept; left out: 51 too long"),
                                    HasSubstr("only 49.0 %"), HasSubstr("data.min_kept")));
  }
}

}  // namespace
}  // namespace heed
