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

// Sentence pair: the target has as many words as the source, from a separate vocabulary.
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
  // Writes the pairs first … first + count - 1 to NAME.s and NAME.t.
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

TEST_F(CorpusChecksTest, NameAnnotationsThatAreEmptyEverywhere) {
  CorpusFiles first = write("a", 0, 50), second = write("b", 50, 30);
  const auto check_links = [&](const std::string& one, const std::string& other) {
    write_plainly(folder / "one", one);
    write_plainly(folder / "other", other);
    for (auto files : {&CorpusFiles::edges, &CorpusFiles::alignment}) {
      first.*files = {{folder / "one"}};
      second.*files = {{folder / "other"}};
    }
    return check({first, second});
  };
  const std::string none(49, '\n'), few(29, '\n');
  EXPECT_THAT(check_links(none + " \n", few + "\n"),
              ElementsAre(HasSubstr("other: all 80 lines are empty, so that no edges are read"),
                          HasSubstr("other: all 80 lines are empty, so that no word alignments")));
  EXPECT_THAT(check_links(none + "0-0\n", few + "\n"), IsEmpty());
}

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

TEST_F(CorpusChecksTest, FindsASideInAnotherEncoding) {
  std::string source, target;
  for (int i = 0; i < 300; ++i) {
    source += sentence(i).source + '\n';
    target += sentence(i).target + (i % 10 ? "" : " die gr\xfcne T\xfcr") + '\n';
  }
  const CorpusFiles train = write("train", source, target);
  EXPECT_THAT(check({train}),
              ElementsAre(AllOf(HasSubstr("train.t: 30 of 300 lines are malformed UTF-8; the file "
                                          "looks like ISO 8859-1"),
                                HasSubstr("iconv -f WINDOWS-1252 -t UTF-8 "))));
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
                                                HasSubstr("train.s, source: 1, target: 2}"),
                                                HasSubstr("cut -f1"))));
  EXPECT_THAT(check({train}, {}, {true, false}), IsEmpty());
}

// Only the target is JSON, as in a task of writing JSON; no warning is given.
TEST_F(CorpusChecksTest, FindsJsonLinesThatAreReadAsSentences) {
  std::string objects, sentences;
  for (int i = 0; i < 20; ++i) {
    objects += "{\"s\": \"" + sentence(i).source + "\"}\n";
    sentences += sentence(i).source + '\n';
  }
  EXPECT_THAT(
      check({write("train", objects, objects)}),
      testing::Contains(AllOf(HasSubstr("train.s + train.t: 20 of 20 lines are JSON objects"),
                              HasSubstr("{jsonl: "))));
  EXPECT_THAT(check({write("train", sentences, objects)}), IsEmpty());
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
      ElementsAre(
          AllOf(HasSubstr("data.valid: has 100 pairs; 10 pairs, 10 sources, 10 targets are in "
                          "the training data too"),
                HasSubstr("line 1 is line 2,991 of train.s + train.t"))));
}

// The set has other translations of training sources, and other sources of training targets.
TEST_F(CorpusChecksTest, FindsSourcesAndTargetsOfASetInTheTrainingData) {
  const CorpusFiles train = write("train", 0, 3000);
  std::string source, target;
  for (int i = 0; i < 100; ++i) {
    source += sentence(i < 20 ? i : 5000 + i).source + (i < 20 ? "" : " s") + '\n';
    target += sentence(i >= 70 ? i : 5000 + i).target + (i >= 70 ? "" : " t") + '\n';
  }
  EXPECT_THAT(
      check({train}, {{"valid", write("valid", source, target)}}),
      ElementsAre(AllOf(HasSubstr("data.valid: has 100 pairs; 20 sources, 30 targets are in "
                                  "the training data too, line 1 is line 1 of train.s"),
                        HasSubstr("heed split"))));
}

// Labels are the same in all data.
TEST_F(CorpusChecksTest, ComparesLabelsOnlyWithTheirSources) {
  std::string train_labels, valid_labels;
  for (int i = 0; i < 3000; ++i) train_labels += "label" + std::to_string(i % 3) + '\n';
  for (int i = 0; i < 100; ++i) valid_labels += "label" + std::to_string(i % 3) + '\n';
  const CorpusFiles train = write("train", 0, 3000), valid = write("valid", 5000, 100);
  write_plainly(folder / "train.t", train_labels);
  write_plainly(folder / "valid.t", valid_labels);
  EXPECT_THAT(check({train}, {{"valid", valid}}), IsEmpty());
}

TEST_F(CorpusChecksTest, FindsSidesThatAreSwapped) {
  const CorpusFiles train = write("train", 0, 3000);
  EXPECT_THAT(check({train}, {{"valid", swapped(write("valid", 5000, 300))}}),
              ElementsAre(HasSubstr("data.valid: source and target look swapped")));
  CorpusFiles more = swapped(write("more", 3000, 300));
  more.name = "more";
  EXPECT_THAT(check({train, more}), ElementsAre(HasSubstr("more: source and target look swapped")));
  more.tag = "back";  // one model for both directions
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
