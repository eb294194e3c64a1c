#include "data/corpus_files.h"

#include "config/paths.h"
#include "data_test_tools.h"
#include "holds.h"

namespace heed {
namespace {

CorpusConfig corpus(const std::string& source, const std::string& target) {
  CorpusConfig config;
  config.source = {{kSourceSide, source}};
  config.target = target;
  return config;
}

std::vector<std::string> names(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::string> names;
  for (const auto& path : paths) names.push_back(path.filename().string());
  return names;
}

// Collects what is reported, "path: message".
struct Collected final : Problems {
  std::vector<std::string> texts;
  void add(const std::string& path, const std::string& message) override {
    texts.push_back(path + ": " + message);
  }
  bool is_set(const std::string&) const override { return true; }
};

TEST(CorpusFiles, PatternsArePairedByName) {
  holds({"data.train[].source"});
  const TemporaryFolder folder;
  for (const char* name : {"t.10.en", "t.2.en", "t.1.en", "t.1.de", "t.2.de", "t.10.de", "t.fr"}) {
    write_plainly(folder / name, "x\n");
  }
  const CorpusFiles files = find_corpus_files(folder.path(), corpus("t.*.en", "t.*.de"));
  EXPECT_EQ(files.name, "t.*.en + t.*.de");
  EXPECT_EQ(names(files.sides[0].paths), (std::vector<std::string>{"t.1.en", "t.10.en", "t.2.en"}));
  EXPECT_EQ(names(files.sides[1].paths), (std::vector<std::string>{"t.1.de", "t.10.de", "t.2.de"}));
}

TEST(CorpusFiles, EveryFileNeedsItsCounterpart) {
  holds({"data.train[].source"});
  const TemporaryFolder folder;
  for (const char* name : {"t.1.en", "t.2.en", "t.1.de"}) write_plainly(folder / name, "x\n");
  EXPECT_ERROR(find_corpus_files(folder.path(), corpus("t.*.en", "t.*.de")), ErrorKind::kUsage,
               "t.*.en matches 2 files, but t.*.de matches 1");
  write_plainly(folder / "t.3.de", "x\n");
  EXPECT_ERROR(find_corpus_files(folder.path(), corpus("t.*.en", "t.*.de")), ErrorKind::kUsage,
               "t.2.en has no counterpart");
  EXPECT_ERROR(find_corpus_files(folder.path(), corpus("t.1.en", "t.1.fr")), ErrorKind::kUsage,
               "t.1.fr");
}

TEST(CorpusFiles, OddNamesAreTakenAsTheyStand) {
  const TemporaryFolder folder;
  const auto odd = folder / "od[d] *";
  std::filesystem::create_directories(odd / "sub.en");
  write_plainly(odd / "a[1].en", "x\n");
  write_plainly(odd / "b.en", "x\n");
  EXPECT_EQ(names(expand_pattern(odd, "a[1].en")), std::vector<std::string>{"a[1].en"});
  EXPECT_EQ(names(expand_pattern(odd, "*.en")), (std::vector<std::string>{"a[1].en", "b.en"}));
  EXPECT_EQ(names(expand_pattern("/", (folder / "od*/b.en").string())),
            std::vector<std::string>{"b.en"});
  EXPECT_TRUE(expand_pattern(odd, "sub.en").empty());
  EXPECT_TRUE(expand_pattern(odd, "c*").empty());
}

TEST(CorpusFiles, MissingOnesAreProblemsOfTheirKey) {
  const TemporaryFolder folder;
  write_plainly(folder / "a.en", "x\n");
  DataConfig data;
  data.train = {corpus("a.en", "a.de"), corpus("b.*.en", "a.en")};
  data.test["t"].source = {{kSourceSide, "a.en"}};
  data.valid.emplace_back().source = {{kSourceSide, "a.en"}};
  data.valid[0].target = "a.en";
  Collected problems;
  find_missing_data_files(data, folder.path(), problems);
  EXPECT_EQ(problems.texts, (std::vector<std::string>{
                                "train[0].target: there is no file " + (folder / "a.de").string(),
                                "train[1].source: no file matches " + (folder / "b.*.en").string(),
                                "test.t.target: is empty, expected a file"}));
}

TEST(CorpusFiles, AFolderIsAProblemOfItsKey) {
  const TemporaryFolder folder;
  write_plainly(folder / "a.en", "x\n");
  std::filesystem::create_directory(folder / "dir");
  DataConfig data;
  data.train = {corpus("dir", "a.en"), corpus("a.en", "dir/")};
  Collected problems;
  find_missing_data_files(data, folder.path(), problems);
  const std::string dir = (folder / "dir").string();
  EXPECT_EQ(problems.texts, (std::vector<std::string>{
                                "train[0].source: " + dir + " is a folder, expected a file",
                                "train[1].target: " + dir + "/ is a folder, expected a file"}));
}

TEST(CorpusFiles, StartFromTheConfigsFolder) {
  holds({"data.dir"});
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "sets");
  write_plainly(folder / "sets/a", "x\n");
  DataConfig data;
  data.dir = "../sets";
  data.train = {corpus("a", "a")};
  const auto files = find_training_files(data, folder / "configs");
  EXPECT_EQ(files.at(0).sides[0].paths[0], folder / "sets/a");
  resolve_paths(data, PathRoot::kConfigFolder, folder / "configs");
  EXPECT_EQ(data.dir, (folder / "sets").string());
  EXPECT_EQ(find_training_files(data, "/elsewhere").at(0).sides, files[0].sides);
  data.dir = "none";
  Collected problems;
  find_missing_data_files(data, folder.path(), problems);
  EXPECT_EQ(problems.texts.at(0), "dir: there is no folder " + (folder / "none").string());
}

}  // namespace
}  // namespace heed
