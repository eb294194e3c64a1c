#include "data/edges.h"

#include "data/data_config.h"
#include "data_test_tools.h"
#include "holds.h"
#include "text/characters.h"

namespace heed {
namespace {

Edges edges_of(const std::string& line, const std::vector<std::string>& pieces,
               const std::string& join = "") {
  const std::string text = fmt::format("{}", fmt::join(pieces, " "));
  return read_edges(line, text, pieces, WordTokenizer(join, false), "edges:7");
}

TEST(EdgesTest, AreReadAsPairsOfPlaces) {
  holds({"data.train[].edges", "data.valid.edges"});
  EXPECT_EQ(edges_of("0-1 2-0  1-1\r", {"a", "b", "c"}), (Edges{{0, 1}, {2, 0}, {1, 1}}));
  EXPECT_EQ(edges_of("", {"a"}), Edges{});
  EXPECT_EQ(edges_of(" \t", {}), Edges{});
}

TEST(EdgesTest, JoinAllPiecesOfBothWords) {
  // "un@@ see n" is the words "unsee" and "n" of two pieces and of one.
  EXPECT_EQ(edges_of("0-1", {"un@@", "see", "n"}, "@@"), (Edges{{0, 2}, {1, 2}}));
  EXPECT_EQ(edges_of("1-0", {"un@@", "see", "n"}, "@@"), (Edges{{2, 0}, {2, 1}}));
  EXPECT_EQ(edges_of("0-0", {"un@@", "see", "n"}, "@@"), (Edges{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
}

TEST(EdgesTest, SayWhereAndWhatIsWrong) {
  const std::vector<std::string> three = {"a", "b", "c"};
  for (const char* bad : {"0", "0-", "-1", "0-1-2", "a-b", "0--1", "0-1,1-2", "1.0-2", "\xFF",
                          "99999999999999999999-0"}) {
    EXPECT_ERROR(edges_of(std::string("0-1 ") + bad, three), ErrorKind::kData, "is not an edge");
  }
  EXPECT_ERROR(edges_of("0-1 3-0", three), ErrorKind::kData, "edges:7: edge 3-0");
  EXPECT_ERROR(edges_of("0-3", three), ErrorKind::kData, "the last word of the sentence is 2");
  EXPECT_ERROR(edges_of("0-0", {}), ErrorKind::kData, "has no words");
}

TEST(EdgesTest, AreOfWordsBetweenSpacesOrOfCharacters) {
  const CharacterTokenizer characters(false);
  const auto edges = [&](const std::string& line, const std::string& text) {
    return read_edges(line, text, characters.encode(text), characters, "edges:7");
  };
  EXPECT_EQ(edges("1-0", "a  b"), (Edges{{1, 0}, {2, 0}, {3, 0}}));
  EXPECT_EQ(edges("1-0", "\u200B b"), Edges({{1, 0}, {2, 0}})) << "U+200B is a word";
  EXPECT_EQ(edges("4-0", "猫が好き 犬も好き"), (Edges{{4, 0}, {5, 0}}));
}

struct FilesWithEdges {
  TemporaryFolder folder;
  FilesWithEdges(const std::string& source, const std::string& target, const std::string& edges) {
    write_plainly(folder / "s", source);
    write_plainly(folder / "t", target);
    write_plainly(folder / "e", edges);
  }
  std::shared_ptr<const ParallelCorpus> index(const Cleaning& cleaning = {}) const {
    CorpusFiles files = corpus_files({folder / "s"}, {folder / "t"});
    files.edges = {{folder / "e"}};
    return index_corpus({files}, cleaning, 2);
  }
};

TEST(EdgesOfACorpus, GoWithTheirPairs) {
  holds({"data.train[].edges", "data.valid.edges"});
  const FilesWithEdges data("w1 w2\n\nw3\n", "w4\nw5\nw6\n",
                            "0-1\n7-7 what is left out is not read\n\n");
  const auto corpus = data.index();
  ASSERT_EQ(corpus->index().size(), 2);
  EXPECT_EQ(corpus->example(0).edges, (Edges{{0, 1}}));
  EXPECT_EQ(corpus->example(1).edges, Edges{});
  EXPECT_EQ(corpus->example(1).target, Ids{10});
  EXPECT_EQ(corpus->index().row_length(0), 3);
  EXPECT_EQ(corpus->index().sides(), 2U) << "batches are made as without edges";
}

TEST(EdgesOfACorpus, AreCheckedBeforeTrainingBegins) {
  EXPECT_ERROR(FilesWithEdges("w1 w2\nw3\n", "w4\nw5\n", "0-1\n0-1\n").index(), ErrorKind::kData,
               "/e:2: ");
  EXPECT_ERROR(FilesWithEdges("w1\nw3\n", "w4\nw5\n", "\n").index(), ErrorKind::kData,
               "line N of one must belong");
}

TEST(EdgesOfACorpus, StandInEveryFileOrInNone) {
  const auto problems_of = [](const DataConfig& config) {
    struct Reasons final : Problems {
      std::vector<std::string> paths;
      void add(const std::string& path, const std::string&) override { paths.push_back(path); }
      bool is_set(const std::string&) const override { return true; }
    } reasons;
    config.validate(reasons);
    return reasons.paths;
  };
  DataConfig data;
  data.train.resize(2);
  data.valid.emplace_back();
  EXPECT_TRUE(problems_of(data).empty());
  data.train[0].edges = "e";
  EXPECT_EQ(problems_of(data), (std::vector<std::string>{"train[1]", "valid[0]"}));
  data.train[1].edges = data.valid[0].edges = "e";
  EXPECT_TRUE(problems_of(data).empty());
  data.train[0].edges.reset();
  EXPECT_EQ(problems_of(data), (std::vector<std::string>{"train[1]", "valid[0]"}));
}

}  // namespace
}  // namespace heed
