#include "config/path_keys.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace heed
