#include "run/data_record.h"

#include <gtest/gtest.h>

#include "../base/temporary_folder.h"
#include "base/hash.h"

namespace heed {
namespace {

class DataRecordTest : public testing::Test {
 protected:
  DataRecordTest() {
    for (const char* name : {"a.en", "a.de", "a.edges"})
      write_plainly(folder_ / name, "one\ntwo\n");
  }
  DataRecord record() const {
    DataCache cache;
    return record_data({{.name = "a",
                         .sides = {{{folder_ / "a.en"}}, {{folder_ / "a.de"}}},
                         .edges = {{folder_ / "a.edges"}}}},
                       {}, cache);
  }
  std::string path(const char* name) const { return folder_ / name; }
  TemporaryFolder folder_;
};

TEST_F(DataRecordTest, HoldsSizeAndHashOfEveryFile) {
  const DataRecord record = this->record();
  ASSERT_EQ(record.size(), 3u);
  EXPECT_EQ(record.at(path("a.de")).size, 8u);
  EXPECT_EQ(record.at(path("a.de")).hash, hash_bytes("one\ntwo\n"));
  EXPECT_TRUE(changed_data(record, record, {}).all().empty());
}

TEST_F(DataRecordTest, SurvivesTheFile) {
  EXPECT_EQ(data_record_from_json(to_json(record()), "data.json"), record());
  for (const char* text : {"", "[", "[1]", "{\"a\": {\"size\": 1}}", "{\"a\": 1}"})
    EXPECT_ERROR(data_record_from_json(text, "x/data.json"), ErrorKind::kModel, "x/data.json");
}

TEST_F(DataRecordTest, NamesWhatHasChanged) {
  const DataRecord before = record();
  write_plainly(folder_ / "a.en", "one\n");
  write_plainly(folder_ / "a.de", "one\ntwp\n");
  EXPECT_EQ(changed_data(before, record(), {}).data,
            (std::vector<std::string>{path("a.de") + " (other content)",
                                      path("a.en") + " (4 bytes, was 8 bytes)"}));
}

TEST_F(DataRecordTest, TakesAFileOfAnotherFolderForTheSame) {
  DataRecord moved;
  for (const auto& [name, file] : record())
    moved["/elsewhere/" + std::filesystem::path(name).filename().string()] = file;
  EXPECT_TRUE(changed_data(record(), moved, {}).all().empty());
  moved.begin()->second.hash = "other";
  EXPECT_EQ(changed_data(record(), moved, {}).data.size(), 2u) << "one gone, one new";
}

TEST_F(DataRecordTest, NamesFilesThatAreNewOrGone) {
  const DataRecord all = record();
  DataRecord fewer = all;
  fewer.erase(path("a.en"));
  EXPECT_EQ(changed_data(fewer, all, {}).data, std::vector<std::string>{path("a.en") + " (new)"});
  EXPECT_EQ(changed_data(all, fewer, {}).data, std::vector<std::string>{path("a.en") + " (gone)"});
}

// Vocabularies and tokenizer models that a config names.
TEST_F(DataRecordTest, HoldsFilesOfTheText) {
  const std::vector<std::filesystem::path> text{folder_ / "words"};
  write_plainly(text[0], "one\n");
  DataCache cache;
  const DataRecord before = record_data({}, text, cache);
  EXPECT_EQ(before.at(text[0]).size, 4u);
  write_plainly(text[0], "two\n");
  const DataChanges changes = changed_data(before, record_data({}, text, cache), text);
  EXPECT_TRUE(changes.data.empty());
  EXPECT_EQ(changes.text, std::vector<std::string>{path("words") + " (other content)"});
  EXPECT_TRUE(changed_data({}, before, text).all().empty()) << "recorded by an earlier version";
}

}  // namespace
}  // namespace heed
