// Sources with equally many entries: lines that differ are named before training begins.
#include "data/source_entries.h"

#include <gmock/gmock.h>

#include "data/evaluation_set.h"
#include "data_test_tools.h"

namespace heed {
namespace {

constexpr int32_t kEntryMarker = 7;

std::vector<SourceEntries> keys_and_values(std::optional<int32_t> marker = std::nullopt) {
  return {{.keys = {"facts", 0, marker}, .values = {"answers", 1, marker}}};
}

TEST(SourceEntries, AreTokensOrSentences) {
  check_entries(keys_and_values(), {{4, 5}, {6, 6}}, "a:1");
  check_entries(keys_and_values(), {{}, {}}, "a:1");
  EXPECT_ERROR(check_entries(keys_and_values(), {{4, 5}, {6}}, "a:3"), ErrorKind::kData,
               "a:3: facts has 2 tokens, but answers has 1 token; give one value for each key");
  check_entries(keys_and_values(kEntryMarker), {{4, 5, 7, 4}, {6, 7, 6, 6}}, "a:1");
  check_entries(keys_and_values(kEntryMarker), {{}, {}}, "a:1");
  EXPECT_ERROR(check_entries(keys_and_values(kEntryMarker), {{4, 7, 4}, {6}}, "a:4"),
               ErrorKind::kData, "a:4: facts has 2 sentences, but answers has 1 sentence;");
  EXPECT_ERROR(check_entries(keys_and_values(kEntryMarker), {{4}, {}}, "a:4"), ErrorKind::kData,
               "facts has 1 sentence, but answers has 0 sentences;");
}

struct FilesOfEntries {
  TemporaryFolder folder;
  FilesOfEntries(const std::string& keys, const std::string& values) {
    write_plainly(folder / "k", keys);
    write_plainly(folder / "v", values);
    write_plainly(folder / "t", "w1\nw2\n");
  }
  CorpusFiles files() const {
    return {.name = "k", .sides = {{{folder / "k"}}, {{folder / "v"}}, {{folder / "t"}}}};
  }
  static PairEncoder encoder() {
    return {.codecs = {3, hundred_words()}, .entries = keys_and_values()};
  }
  std::shared_ptr<const ParallelCorpus> index(const Cleaning& cleaning = {}) const {
    const auto text = std::make_shared<const TrainingText>(std::vector<CorpusFiles>{files()});
    return std::make_shared<const ParallelCorpus>(text, encoder(), cleaning);
  }
};

TEST(SourceEntries, AreCheckedInTheIndexAndInEvaluationSets) {
  EXPECT_EQ(FilesOfEntries("w1 w2\nw3\n", "w4 w5\nw6\n").index()->index().size(), 2);
  const FilesOfEntries wrong("w1 w2\nw3\n", "w4 w5\nw6 w7\n");
  EXPECT_ERROR(wrong.index(), ErrorKind::kData,
               "/k:2: facts has 1 token, but answers has 2 tokens; give one value for each key");
  EXPECT_ERROR(read_parallel("valid", wrong.files(), FilesOfEntries::encoder()), ErrorKind::kData,
               "/k:2: facts has 1 token, but answers has 2 tokens;");
}

// Lines that are cut may agree, too.
TEST(SourceEntries, AreThoseThatTheModelReads) {
  Cleaning cleaning;
  cleaning.too_long = TooLong::kTruncate;
  cleaning.max_source_length = 1;
  const auto corpus = FilesOfEntries("w1 w2\nw3\n", "w4\nw6 w7\n").index(cleaning);
  EXPECT_THAT(corpus->example(0).sources, testing::ElementsAre(Ids{5}, Ids{8}));
}

}  // namespace
}  // namespace heed
