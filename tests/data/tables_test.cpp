// Training text from one file equals that from a file for each side.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "base/error.h"
#include "data/cached_index.h"
#include "data/corpus_checks.h"
#include "data_test_tools.h"

namespace heed {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class TablesTest : public testing::Test {
 protected:
  void SetUp() override {
    write_pairs(folder / "s", folder / "t", 300);
    const std::vector<std::string> sources = lines(folder / "s"), targets = lines(folder / "t");
    std::string rows = "t\tpos\ts\n", objects;
    for (size_t i = 0; i < sources.size(); ++i) {
      rows += targets[i] + "\tX\t" + sources[i] + "\n";
      objects += "{\"pair\": {\"s\": \"" + sources[i] + "\", \"t\": \"" + targets[i] + "\"}}\n";
    }
    write_plainly(folder / "a.tsv", rows);
    write_plainly(folder / "a.jsonl", objects);
  }
  static std::vector<std::string> lines(const std::filesystem::path& file) {
    return read_lines_of(file);
  }
  static std::vector<std::string> read_lines_of(const std::filesystem::path& file) {
    std::vector<std::string> lines;
    LineReader reader(file);
    for (std::string line; reader.next(line);) lines.push_back(line);
    return lines;
  }
  CorpusFiles files_of(const CorpusConfig& config) const {
    return find_corpus_files(folder.path(), config);
  }
  static CorpusConfig config_of(const char* tsv, const char* jsonl, const std::string& source,
                                const std::string& target) {
    CorpusConfig config;
    if (tsv) config.tsv = tsv;
    if (jsonl) config.jsonl = jsonl;
    config.source = {{kSourceSide, source}};
    config.target = target;
    return config;
  }
  TemporaryFolder folder;
};

TEST_F(TablesTest, AreTheSameTextAsTwoFiles) {
  const auto plain = index_corpus({files_of(config_of(nullptr, nullptr, "s", "t"))});
  for (const CorpusConfig& config :
       {config_of("a.tsv", nullptr, "3", "1"), config_of("a.tsv", nullptr, "s", "t"),
        config_of("a.tsv", nullptr, "s", "1"), config_of("a.tsv", nullptr, "3", "t"),
        config_of(nullptr, "a.jsonl", "pair.s", "pair.t")}) {
    for (const size_t most_ids : {size_t{0}, kMostIds}) {  // from the file, from memory
      // Column numbers make the header a pair, unless the other column has a name.
      const bool header = config.source.at(kSourceSide) == "3" && config.target == "1";
      const auto corpus = index_corpus({files_of(config)}, {}, 2, most_ids);
      ASSERT_EQ(corpus->index().size(), plain->index().size() + header);
      for (PairId pair = 0; pair < plain->index().size(); ++pair) {
        EXPECT_EQ(corpus->example(pair + header).sources, plain->example(pair).sources);
        EXPECT_EQ(corpus->example(pair + header).target, plain->example(pair).target);
      }
    }
  }
  EXPECT_EQ(files_of(config_of("a.tsv", nullptr, "s", "t")).name, "a.tsv (s + t)");
}

TEST_F(TablesTest, CountBadRowsByThePolicyOfMalformedLines) {
  write_plainly(folder / "b.tsv", "w1\tw2\nw3\nw4\tw5\n\xff\tw6\n\tw7\n");
  const CorpusFiles files = files_of(config_of("b.tsv", nullptr, "1", "2"));
  const CorpusReport report = index_corpus({files})->report();
  EXPECT_EQ(report.lines().at(0),
            "b.tsv (1 + 2): 5 pairs, 2 kept; left out: 1 bad rows, 1 malformed, 1 empty");
  EXPECT_EQ(index_corpus({files}, {.malformed = Malformed::kReplace})->report().corpora[0].kept, 3);
  EXPECT_ERROR(
      index_corpus({files}, {.malformed = Malformed::kError}), ErrorKind::kData,
      "b.tsv:2: has 1 column, expected column 2; correct it, or set data.malformed to drop");
  const TrainingText text({files});
  Cleaning strict;
  strict.malformed = Malformed::kError;
  EXPECT_ERROR(text.side_lines(1, strict)([](std::string_view) {}), ErrorKind::kData, "b.tsv:2");
  EXPECT_THAT(
      check_corpora(text, {{}, {false, false}}).warnings,
      testing::ElementsAre("" + (folder / "b.tsv").string() +
                           ":2: has 1 column, expected column 2; such rows are left out, 1 of "
                           "5"));
}

TEST_F(TablesTest, TellOfAHeaderThatIsReadAsAPair) {
  write_plainly(folder / "b.tsv", "en\tde\nw1\tw2\n");
  const auto warnings = [&](const std::string& source, const std::string& target) {
    const TrainingText text({files_of(config_of("b.tsv", nullptr, source, target))});
    return check_corpora(text, {{}, {false, false}}).warnings;
  };
  EXPECT_THAT(warnings("1", "2"),
              testing::ElementsAre(HasSubstr("b.tsv:1: 'en', 'de' look like names of columns")));
  EXPECT_THAT(warnings("en", "de"), testing::IsEmpty());
  write_plainly(folder / "b.tsv", "hello\thallo\nw1\tw2\n");
  EXPECT_THAT(warnings("1", "2"), testing::IsEmpty());
}

TEST_F(TablesTest, CountMalformedJsonAsMalformed) {
  write_plainly(folder / "b.jsonl",
                "{\"s\": \"w1\", \"t\": \"w3\"}\n{\"s\": \"\xfc\", \"t\": \"w3\"}\n");
  const CorpusFiles files = files_of(config_of(nullptr, "b.jsonl", "s", "t"));
  EXPECT_THAT(index_corpus({files})->report().lines().at(0), HasSubstr("left out: 1 malformed"));
}

TEST_F(TablesTest, CountLineBreaksInJsonTexts) {
  write_plainly(folder / "b.jsonl",
                "{\"s\": \"w1\\nw2\", \"t\": \"w3\"}\n{\"s\": \"w1\", \"t\": \"w3\"}\n");
  const auto corpus = index_corpus({files_of(config_of(nullptr, "b.jsonl", "s", "t"))});
  EXPECT_THAT(corpus->report().lines().at(0), HasSubstr("changed: 1 with line breaks, now spaces"));
  EXPECT_EQ(corpus->example(0).sources.at(0).size(), 2U);
}

TEST_F(TablesTest, AreNoPipes) {
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_ERROR(files_of(config_of("pipe", nullptr, "1", "2")), ErrorKind::kUsage,
               "is read once for each side, expected a file, not a pipe");
}

TEST_F(TablesTest, HaveAnIndexForEachView) {
  DataCache cache(folder / "kept");
  const auto index = [&](const std::string& source, const std::string& target) {
    const std::vector<CorpusFiles> files{files_of(config_of("a.tsv", nullptr, source, target))};
    const TrainingText text(files, cache);
    const PairEncoder encoder{.codecs = {2, hundred_words()}};
    const CorpusIndex found =
        cached_index({.text = text, .encoder = encoder, .cleaning = Cleaning{}}, {.files = cache});
    return std::pair(found.pairs.length(5, 0), found.pairs.length(5, 1));
  };
  const auto [source, target] = index("s", "t");
  ASSERT_NE(source, target);
  EXPECT_EQ(index("t", "s"), std::pair(target, source));
  EXPECT_EQ(index("s", "t"), std::pair(source, target));
  // Below a header, a number is another text than without one.
  const auto [first, second] = index("3", "1");
  EXPECT_EQ(index("3", "t"), std::pair(source, target));
  EXPECT_EQ(index("3", "1"), std::pair(first, second));
}

TEST_F(TablesTest, HaveAnnotationsInColumns) {
  CorpusConfig config = config_of("c.tsv", nullptr, "1", "2");
  config.alignment = "3";
  config.edges = "4";
  write_plainly(folder / "c.tsv", "w1 w2\tw3\t0-0 1-0\t0-1\nw1\tw3\n");
  const CorpusFiles files = files_of(config);
  const auto corpus = index_corpus({files});
  ASSERT_EQ(corpus->index().size(), 1);  // the second row has no alignment
  EXPECT_EQ(corpus->example(0).alignment->size(), 2U);
  EXPECT_EQ(corpus->example(0).edges->size(), 1U);
  EXPECT_EQ(corpus->report().corpora[0].bad_rows, 1);
}

}  // namespace
}  // namespace heed
