
#include <gtest/gtest.h>

#include "config/paths.h"
#include "example.h"

namespace heed {
namespace {

using namespace example;

struct FilesConfig final : Settings {
  std::map<std::string, std::string> files;
  RootConfig inner;
  void fields(Fields& f) override {
    f.paths("files", files, "target", PathRoot::kConfigFolder, "by name, or one");
    f.section("inner", inner, "more");
  }
};

TEST(PathKeys, KnowTheFolderThatAPathStartsFrom) {
  const PathKeys keys{RootConfig()};
  for (const char* key : {"run", "vocabulary"}) {
    EXPECT_TRUE(keys.start_from(PathRoot::kConfigFolder, key)) << key;
    EXPECT_FALSE(keys.start_from(PathRoot::kDataFolder, key)) << key;
  }
  for (const char* key : {"train[0].source", "train.target", "test.first.source"}) {
    EXPECT_TRUE(keys.start_from(PathRoot::kDataFolder, key)) << key;
    EXPECT_FALSE(keys.start_from(PathRoot::kConfigFolder, key)) << key;
  }
}

TEST(PathKeys, LeaveOutWhatIsNotAPath) {
  const PathKeys keys{RootConfig()};
  for (const char* key : {"seed", "name", "train", "train[0]", "model.run", "other", ""}) {
    EXPECT_FALSE(keys.start_from(PathRoot::kConfigFolder, key)) << key;
    EXPECT_FALSE(keys.start_from(PathRoot::kDataFolder, key)) << key;
  }
}

TEST(PathKeys, HoldMapsOfPathsWithTheirItems) {
  const PathKeys keys{FilesConfig()};
  for (const char* key : {"files", "files.target", "files.other", "inner.run"})
    EXPECT_TRUE(keys.start_from(PathRoot::kConfigFolder, key)) << key;
}

TEST(Paths, AreThoseOfARoot) {
  FilesConfig config;
  config.files = {{"a", "one"}, {"b", "/two"}};
  config.inner.run = "runs";
  config.inner.train = {CorpusConfig(), CorpusConfig()};
  config.inner.train[1].source = "text";
  std::vector<std::string> found;
  for (const auto& [key, path] : paths_in(config, PathRoot::kConfigFolder))
    found.push_back(key + " " + path);
  EXPECT_EQ(found, (std::vector<std::string>{"files.a one", "files.b /two", "inner.run runs"}));
  const auto data = paths_in(config, PathRoot::kDataFolder);
  ASSERT_EQ(data.size(), 4U);
  EXPECT_EQ(data[2].key, "inner.train[1].source");
  EXPECT_EQ(data[2].path, "text");
}

TEST(Paths, BecomeAbsolute) {
  FilesConfig config;
  config.files = {{"a", "../one"}, {"b", "/two"}};
  config.inner.train = {CorpusConfig()};
  config.inner.train[0].source = "text";
  resolve_paths(config, PathRoot::kConfigFolder, "/folder/sub");
  EXPECT_EQ(config.files.at("a"), "/folder/one");
  EXPECT_EQ(config.files.at("b"), "/two");
  EXPECT_EQ(config.inner.vocabulary, std::nullopt);
  EXPECT_EQ(config.inner.train[0].source, "text") << "which starts from another folder";
}

}  // namespace
}  // namespace heed
