#include "data/parallel_corpus.h"

#include "data/evaluation_set.h"
#include "data_test_tools.h"
#include "holds.h"

namespace heed {
namespace {

struct TwoFiles {
  TemporaryFolder folder;
  TwoFiles(const std::string& source, const std::string& target) {
    write_plainly(folder / "s", source);
    write_plainly(folder / "t", target);
  }
  CorpusFiles files() const { return corpus_files({folder / "s"}, {folder / "t"}); }
  std::shared_ptr<const ParallelCorpus> index(const Cleaning& cleaning = {}) const {
    return index_corpus({files()}, cleaning);
  }
};

Cleaning at_most(int64_t length, TooLong too_long = TooLong::kDrop) {
  Cleaning cleaning;
  cleaning.max_length = length;
  cleaning.too_long = too_long;
  return cleaning;
}

TEST(ParallelCorpus, GivesEveryPairAsIds) {
  holds({"data.train[].source", "data.train[].target"});
  const TwoFiles data("w1 w2\nw3\n", "w4\nw5 other w6");
  const auto corpus = data.index();
  ASSERT_EQ(corpus->index().size(), 2);
  const Example second = corpus->example(1);
  EXPECT_EQ(second.index, 1);
  EXPECT_EQ(second.sources, (std::vector<Ids>{{7}}));
  EXPECT_EQ(second.target, (Ids{9, kUnknown, 10}));
  EXPECT_EQ(corpus->index().length(1, 0), 1);
  EXPECT_EQ(corpus->index().length(1, 1), 3);
  EXPECT_EQ(corpus->index().row_length(1), 4);
}

TEST(ParallelCorpus, CountsWhatItLeavesOutByReason) {
  holds({"data.empty", "data.malformed", "data.max_length", "data.too_long"});
  const TwoFiles data("w1\n\nw2\n \t\nw3\xFF\nw4 w4 w4\nw5\nw6\n",
                      "w1\nw2\n\nw2\nw2\nw1\nw1 w1 w1 w1\n\xC0\x80\n");
  const auto corpus = data.index(at_most(2));
  const CorpusCount& count = corpus->report().corpora.at(0);
  EXPECT_EQ(count.pairs, 8);
  EXPECT_EQ(count.kept, 1);
  EXPECT_EQ(count.empty, 3);
  EXPECT_EQ(count.malformed, 2);
  EXPECT_EQ(count.too_long, 2);
  EXPECT_EQ(corpus->report().lines(),
            std::vector<std::string>{
                "s + t: 8 pairs, 1 kept; left out: 2 malformed, 3 empty, 2 too long"});
  EXPECT_EQ(corpus->example(0).sources[0], Ids{5});
}

TEST(ParallelCorpus, HasALimitForEachSide) {
  holds({"data.max_source_length", "data.max_target_length"});
  const TwoFiles data("w1 w2 w3\nw4 w4\nw5\n", "w1\nw2\nw3 w3\n");
  Cleaning cleaning = at_most(1);
  cleaning.max_source_length = 2;
  EXPECT_EQ(data.index(cleaning)->report().lines()[0],
            "s + t: 3 pairs, 1 kept; left out: 2 too long");
  cleaning.max_target_length = 2;
  EXPECT_EQ(data.index(cleaning)->report().corpora[0].kept, 2);
  cleaning.too_long = TooLong::kTruncate;
  cleaning.max_target_length = 1;
  const auto corpus = data.index(cleaning);
  EXPECT_EQ(corpus->example(0).sources[0], (Ids{5, 6}));
  EXPECT_EQ(corpus->example(2).target, Ids{7});
  cleaning.too_long = TooLong::kError;
  EXPECT_ERROR(data.index(cleaning), ErrorKind::kData, ":1: more than 2 tokens");
}

TEST(ParallelCorpus, LeavesOutPairsOfUnequalLengths) {
  holds({"data.max_ratio"});
  const TwoFiles data("w1 w2 w3\nw4 w4 w4\nw5\nw6\n", "w1 w1\nw2\nw3 w3 w3\nw1\n");
  Cleaning cleaning;
  cleaning.max_ratio = 2.5;
  EXPECT_EQ(data.index(cleaning)->report().lines()[0],
            "s + t: 4 pairs, 2 kept; left out: 2 of unequal lengths");
  cleaning.max_ratio = 3;
  EXPECT_EQ(data.index(cleaning)->report().corpora[0].kept, 4);
}

// A model that can only copy pieces of the source cannot write the other targets.
TEST(ParallelCorpus, LeavesOutTargetsThatCannotBeCopied) {
  const TwoFiles data("w1 w2\nw3 new\nw4 w5\nw6\nw7 w8 w9\n", "w2\nnew w3 new\nw4 w6\nold\nw9\n");
  const auto text = std::make_shared<const TrainingText>(std::vector{data.files()});
  PairEncoder encoder{
      .codecs = {2, hundred_words()}, .copied = 0, .writes = WritableTargets::kCopies};
  const ParallelCorpus corpus(text, encoder, at_most(2, TooLong::kTruncate));
  // Truncation removes the piece that the last pair would copy; the second target is truncated too,
  // but it can still be copied.
  EXPECT_EQ(corpus.report().lines()[0],
            "s + t: 5 pairs, 2 kept; left out: 3 with a target that the model cannot write; "
            "changed: 1 truncated");
  EXPECT_EQ(corpus.example(0).index, 0);
  EXPECT_EQ(corpus.example(1).index, 1);
  encoder.writes = WritableTargets::kOneCopy;
  EXPECT_EQ(ParallelCorpus(text, encoder, {}).report().lines()[0],
            "s + t: 5 pairs, 2 kept; left out: 3 with a target that the model cannot write");
  encoder.writes = WritableTargets::kOneToken;
  EXPECT_EQ(ParallelCorpus(text, encoder, {}).report().kept(), 3);
  encoder.writes = WritableTargets::kAnything;
  EXPECT_EQ(ParallelCorpus(text, encoder, {}).report().kept(), 5);
}

TEST(ParallelCorpus, KeepsLineNumbersBehindWhatIsLeftOut) {
  const TwoFiles data("\nw1\n\nw2\n", "w1\nw1\nw1\nw2\n");
  const auto corpus = data.index();
  EXPECT_EQ(corpus->example(0).index, 1);
  EXPECT_EQ(corpus->example(1).index, 3);
}

TEST(ParallelCorpus, TruncatesIfToldTo) {
  holds({"data.max_length", "data.too_long"});
  const TwoFiles data("w1 w2 w3\nw4\n", "w1\nw1 w2 w3 w4\n");
  const auto corpus = data.index(at_most(2, TooLong::kTruncate));
  EXPECT_EQ(corpus->example(0).sources[0], (Ids{5, 6}));
  EXPECT_EQ(corpus->example(1).target, (Ids{5, 6}));
  EXPECT_EQ(corpus->report().corpora[0].truncated, 2);
  EXPECT_EQ(corpus->report().lines()[0], "s + t: 2 pairs, 2 kept; changed: 2 truncated");
}

TEST(ParallelCorpus, RepairsIfToldTo) {
  holds({"data.malformed"});
  const TwoFiles data("w1 \xFFw2\n", "w1\n");
  Cleaning cleaning;
  cleaning.malformed = Malformed::kReplace;
  const auto corpus = data.index(cleaning);
  EXPECT_EQ(corpus->example(0).sources[0], (Ids{5, kUnknown}));
  EXPECT_EQ(corpus->report().corpora[0].repaired, 1);
}

TEST(ParallelCorpus, EndsTheRunIfToldTo) {
  holds({"data.empty", "data.malformed", "data.max_length", "data.too_long"});
  const TwoFiles data("w1\nw1 w2 w3\nw1\xFF\nw3\n", "w1\nw1\nw1\n\n");
  EXPECT_ERROR(data.index(at_most(2, TooLong::kError)), ErrorKind::kData,
               (data.folder / "s").string() + ":2: more than 2 tokens");
  Cleaning cleaning;
  cleaning.malformed = Malformed::kError;
  EXPECT_ERROR(data.index(cleaning), ErrorKind::kData,
               (data.folder / "s").string() + ":3: malformed UTF-8");
  cleaning.malformed = Malformed::kDrop;
  cleaning.empty = EmptyLine::kError;
  EXPECT_ERROR(data.index(cleaning), ErrorKind::kData,
               (data.folder / "t").string() + ":4: empty line");
}

TEST(ParallelCorpus, ReadsWindowsFilesAndNulAndHugeLines) {
  std::string huge;
  while (huge.size() < (1 << 20)) huge += "w7 ";
  const TwoFiles data("w1\r\nw2\r\n" + huge + "\r\nw3 x\r\n" + std::string("w\0x\n", 4),
                      "w1\r\nw2\r\nw3\r\nw4\r\nw5");
  const auto corpus = data.index();
  EXPECT_EQ(corpus->report().corpora[0].too_long, 1);
  EXPECT_EQ(corpus->index().size(), 4);
  EXPECT_EQ(corpus->example(0).sources[0], Ids{5});
  EXPECT_EQ(corpus->example(2).sources[0], (Ids{7, kUnknown}));
  EXPECT_EQ(corpus->example(3).sources[0], Ids{kUnknown});
  EXPECT_EQ(corpus->example(3).target, Ids{9});
}

TEST(ParallelCorpus, NamesFilesAndCountsOfUnequalSides) {
  const TwoFiles data("w1\nw2\nw3\n", "w1\nw2\n");
  EXPECT_ERROR(data.index(), ErrorKind::kData,
               fmt::format("{}: 3 lines, but {}: 2 lines", (data.folder / "s").string(),
                           (data.folder / "t").string()));
}

TEST(ParallelCorpus, RefusesWhatHasNothingToLearnFrom) {
  EXPECT_ERROR(TwoFiles("", "").index(), ErrorKind::kData, "empty");
  EXPECT_ERROR(TwoFiles("\n", "w1\n").index(), ErrorKind::kData, "no training pair is left");
  const TemporaryFolder folder;
  EXPECT_ERROR(index_corpus({corpus_files({folder / "x"}, {folder / "y"})}), ErrorKind::kIo, "x");
}

TEST(ParallelCorpus, ManyFilesAndManyThreadsChangeNothing) {
  holds({"data.train[].source"});
  const TemporaryFolder folder;
  write_pairs(folder / "all.s", folder / "all.t", 9000);
  write_pairs(folder / "1.s", folder / "1.t", 4000);
  write_pairs(folder / "2.s", folder / "2.t", 5000, 4000);
  write_gzip(folder / "2.s.gz", read_plainly(folder / "2.s"));
  const auto one = index_corpus({corpus_files({folder / "all.s"}, {folder / "all.t"})});
  const auto two = index_corpus(
      {corpus_files({folder / "1.s", folder / "2.s.gz"}, {folder / "1.t", folder / "2.t"})}, {}, 4);
  ASSERT_EQ(one->index().size(), 9000);
  ASSERT_EQ(two->index().size(), 9000);
  for (PairId i = 0; i < 9000; i += 37) {
    const Example a = one->example(i), b = two->example(i);
    EXPECT_EQ(number_of(a.target), i);
    EXPECT_EQ(a.index, b.index);
    EXPECT_EQ(a.sources, b.sources);
    EXPECT_EQ(a.target, b.target);
  }
}

TEST(ParallelCorpus, TakesSeveralSources) {
  const TemporaryFolder folder;
  write_plainly(folder / "a", "w1\nw2\n");
  write_plainly(folder / "b", "w3\nw4 w5 w6\n");
  write_plainly(folder / "t", "w7\nw8\n");
  const CorpusFiles files{.name = "three",
                          .sides = {{{folder / "a"}}, {{folder / "b"}}, {{folder / "t"}}},
                          .weight = 1};
  const auto corpus = index_corpus({files});
  EXPECT_EQ(corpus->example(1).sources, (std::vector<Ids>{{6}, {8, 9, 10}}));
  EXPECT_EQ(corpus->example(1).target, Ids{12});
  EXPECT_EQ(corpus->index().row_length(1), 4);
}

TEST(ParallelCorpus, NoticesThatAFileHasChanged) {
  const TwoFiles data("w1 w2\nw3\n", "w1\nw2\n");
  const auto from_file = index_corpus({data.files()}, {}, 1, 0), from_memory = data.index();
  write_plainly(data.folder / "s", "w1\nw2 w3 w4\n");
  EXPECT_ERROR(from_file->example(0), ErrorKind::kData, "changed during");
  EXPECT_EQ(from_memory->example(0).sources, (std::vector<Ids>{{5, 6}})) << "as it was";
}

TEST(ParallelCorpus, IsTheSameFromMemoryAndFromFiles) {
  const TemporaryFolder folder;
  write_pairs(folder / "s", folder / "t", 500);
  const std::vector<CorpusFiles> files = {corpus_files({folder / "s"}, {folder / "t"})};
  const auto memory = index_corpus(files, at_most(9, TooLong::kTruncate)),
             read = index_corpus(files, at_most(9, TooLong::kTruncate), 1, 0),
             full = index_corpus(files, at_most(9, TooLong::kTruncate), 1, 1000);
  ASSERT_EQ(memory->index().size(), 500);
  for (PairId i = 0; i < 500; ++i) {
    for (const auto& other : {read, full}) {
      EXPECT_EQ(memory->example(i).sources, other->example(i).sources);
      EXPECT_EQ(memory->example(i).target, other->example(i).target);
      EXPECT_EQ(memory->example(i).index, other->example(i).index);
    }
  }
}

TEST(TrainingText, GivesCleanLinesOfEachSide) {
  holds({"data.malformed"});
  const TwoFiles data("w1\n\nw2\xFF\nw3\nw4\n", "a\nb\nc\nd\n \n");
  const TrainingText text({data.files(), data.files()});
  const auto lines_of = [&text](size_t side, const Cleaning& cleaning) {
    std::vector<std::string> lines;
    text.side_lines(side, cleaning)([&](std::string_view line) { lines.emplace_back(line); });
    return lines;
  };
  EXPECT_EQ(lines_of(0, {}), (std::vector<std::string>{"w1", "w3", "w1", "w3"}));
  EXPECT_EQ(lines_of(1, {}), (std::vector<std::string>{"a", "d", "a", "d"}));
  Cleaning cleaning;
  cleaning.malformed = Malformed::kReplace;
  EXPECT_EQ(lines_of(0, cleaning).at(1), "w2\xEF\xBF\xBD");
  cleaning.malformed = Malformed::kError;
  EXPECT_ERROR(lines_of(0, cleaning), ErrorKind::kData, ":3: malformed");
}

TEST(EvaluationSet, KeepsEveryLine) {
  const TwoFiles data("w1\n\nw2 x\n", "w3\nw4\n\n");
  const EvaluationSet set =
      read_parallel("valid", data.files(), {.codecs = {hundred_words(), hundred_words()}});
  EXPECT_EQ(set.size(), 3U);
  EXPECT_EQ(set.sources, (std::vector<std::vector<std::string>>{{"w1", "", "w2 x"}}));
  EXPECT_EQ(set.references, (std::vector<std::string>{"w3", "w4", ""}));
  EXPECT_EQ(set.examples[2].sources[0], (Ids{6, kUnknown}));
  EXPECT_EQ(set.examples[2].index, 2);
  EXPECT_EQ(set.examples[1].sources[0], Ids());
  EXPECT_EQ(set.examples[1].target, Ids{8});
}

TEST(EvaluationSet, KnowsItsLongestPair) {
  const PairEncoder encoder{.codecs = {2, hundred_words()}};
  const TwoFiles first("w1\nw2 w3\n", "w1 w2 w3\nw1\n"), second("w1\nw2 w3 w4 w5\n", "w1\nw2\n");
  EvaluationSet set = read_parallel("valid", first.files(), encoder);
  EXPECT_EQ(set.longest.tokens, 3);
  EXPECT_EQ(set.longest.place, (first.folder / "t").string() + ":1");
  append(set, read_parallel("valid", second.files(), encoder));
  EXPECT_EQ(set.longest.tokens, 4);
  EXPECT_EQ(set.longest.place, (second.folder / "s").string() + ":2");
  EXPECT_EQ(set.longest.example.target, Ids{6});
}

TEST(EvaluationSet, ReferencesAreWrittenAsTranslations) {
  using Lines = std::vector<std::string>;
  const TwoFiles data("W1\n", "ÄRger@@ lich W3\n");
  const auto of = [&](bool lower) {
    const auto words = std::make_shared<const WordTokenizer>("@@", lower);
    const auto codec = std::make_shared<const Codec>(words, hundred_words()->shared_vocabulary());
    return read_parallel("valid", data.files(), {.codecs = {hundred_words(), codec}});
  };
  EXPECT_EQ(of(false).references, Lines{"ÄRgerlich W3"});
  EXPECT_FALSE(of(false).lower_case);
  EXPECT_EQ(of(true).references, Lines{"ärgerlich w3"});
  EXPECT_TRUE(of(true).lower_case);
  EXPECT_EQ(of(true).sources[0], Lines{"W1"});
}

TEST(EvaluationSet, RefusesWhatCannotBeScored) {
  const PairEncoder encoder{.codecs = {2, hundred_words()}};
  const TwoFiles unequal("a\nb\n", "a\n"), malformed("a\nb\xE2\x82\n", "a\nb\n"), empty("", ""),
      blank("a\nb\n", "\n \n");
  EXPECT_ERROR(read_parallel("v", unequal.files(), encoder), ErrorKind::kData, ": 2 lines, but");
  EXPECT_ERROR(read_parallel("v", malformed.files(), encoder), ErrorKind::kData,
               (malformed.folder / "s").string() + ":2: malformed UTF-8 at byte 2");
  EXPECT_ERROR(read_parallel("v", empty.files(), encoder), ErrorKind::kData, "empty");
  EXPECT_ERROR(read_parallel("v", blank.files(), encoder), ErrorKind::kData,
               (blank.folder / "t").string() + ": all lines are empty");
}

}  // namespace
}  // namespace heed
