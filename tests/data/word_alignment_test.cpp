#include "data/word_alignment.h"

#include "data/data_config.h"
#include "data_test_tools.h"
#include "holds.h"

namespace heed {
namespace {

PiecePairs links_of(const std::string& line, const std::vector<std::string>& source,
                    const std::vector<std::string>& target, const std::string& join = "") {
  const WordTokenizer tokenizer(join, false);
  const std::string from = fmt::format("{}", fmt::join(source, " ")),
                    to = fmt::format("{}", fmt::join(target, " "));
  return read_word_alignment(line, {"the source", from, source, tokenizer},
                             {"the target", to, target, tokenizer}, "align:7");
}

TEST(WordAlignment, JoinsAllPiecesOfBothWords) {
  holds({"data.train[].alignment"});
  EXPECT_EQ(links_of("0-2 1-0\r", {"a", "b"}, {"x", "y", "z"}), (PiecePairs{{0, 2}, {1, 0}}));
  EXPECT_EQ(links_of("", {"a"}, {"x"}), PiecePairs{});
  // "unsee n" and "a seen": words of two pieces and of one, and the other way round.
  EXPECT_EQ(links_of("0-1 1-0", {"un@@", "see", "n"}, {"a", "see@@", "n"}, "@@"),
            (PiecePairs{{0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 0}}));
}

TEST(WordAlignment, SaysWhereAndWhatIsWrong) {
  for (const char* bad : {"0", "0-", "-1", "0-1-2", "a-b", "0?1", "0:1"})
    EXPECT_ERROR(links_of(bad, {"a"}, {"x"}), ErrorKind::kData, "align:7: '");
  EXPECT_ERROR(links_of("x", {"a"}, {"x"}), ErrorKind::kData,
               "'x' is not a link; expected word positions from 0, such as 0-3: source word 0");
  EXPECT_ERROR(links_of("1-0", {"a"}, {"x", "y"}), ErrorKind::kData,
               "align:7: link 1-0, but the last word of the source is 0");
  EXPECT_ERROR(links_of("0-2", {"a"}, {"x", "y"}), ErrorKind::kData,
               "align:7: link 0-2, but the last word of the target is 1");
}

struct AlignedFiles {
  TemporaryFolder folder;
  AlignedFiles(const std::string& source, const std::string& target, const std::string& alignment) {
    write_plainly(folder / "s", source);
    write_plainly(folder / "t", target);
    write_plainly(folder / "a", alignment);
    write_plainly(
        folder / "e",
        std::string(static_cast<size_t>(std::count(source.begin(), source.end(), '\n')), '\n'));
  }
  std::shared_ptr<const ParallelCorpus> index(const Cleaning& cleaning = {},
                                              bool with_edges = false) const {
    CorpusFiles files = corpus_files({folder / "s"}, {folder / "t"});
    files.alignment = {{folder / "a"}};
    if (with_edges) files.edges = {{folder / "e"}};
    return index_corpus({files}, cleaning, 2);
  }
};

TEST(AlignmentOfACorpus, GoesWithItsPairs) {
  holds({"data.train[].alignment"});
  const AlignedFiles data("w1 w2\n\nw3\n", "w4\nw5\nw6 w7\n",
                          "1-0\n7-7 what is left out is not read\n0-1\n");
  for (const bool with_edges : {false, true}) {
    const auto corpus = data.index({}, with_edges);
    ASSERT_EQ(corpus->index().size(), 2);
    EXPECT_EQ(corpus->example(0).alignment, (PiecePairs{{1, 0}}));
    EXPECT_EQ(corpus->example(1).alignment, (PiecePairs{{0, 1}}));
    EXPECT_EQ(corpus->example(1).edges.has_value(), with_edges);
  }
}

TEST(AlignmentOfACorpus, IsCutWithItsPair) {
  Cleaning cleaning;
  cleaning.too_long = TooLong::kTruncate;
  cleaning.max_source_length = 2;
  cleaning.max_target_length = 1;
  const AlignedFiles data("w1 w2 w3\n", "w4 w5\n", "0-0 1-0 2-0 0-1\n");
  EXPECT_EQ(data.index(cleaning)->example(0).alignment, (PiecePairs{{0, 0}, {1, 0}}));
}

TEST(AlignmentOfACorpus, IsOfTheSourceThatIsAlignedAmongSeveral) {
  const auto codec = hundred_words();
  const PairEncoder encoder{.codecs = {codec, codec, codec}, .aligned = 1};
  const Example example =
      encoder.encode({"w1", "w2 w3", "w4"}, {.edges = {}, .alignment = Annotation{"1-0", "a:1"}});
  EXPECT_EQ(example.alignment, (PiecePairs{{1, 0}}));
}

TEST(AlignmentOfACorpus, IsCheckedBeforeTrainingBegins) {
  EXPECT_ERROR(AlignedFiles("w1 w2\nw3\n", "w4\nw5\n", "0-0\n1-0\n").index(), ErrorKind::kData,
               "/a:2: link 1-0");
  EXPECT_ERROR(AlignedFiles("w1\nw3\n", "w4\nw5\n", "\n").index(), ErrorKind::kData,
               "line N of one must belong");
}

}  // namespace
}  // namespace heed
