// Configs for users: those in configs/ and those in docs/tasks.md.
#include <gmock/gmock.h>

#include <algorithm>

#include "cli/program.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

// Mistakes that `heed config check` finds in a config, except missing or incomplete data.
std::vector<std::string> mistakes_in(const fs::path& config) {
  const Outcome checked = run_heed({"config", "check", config.string()});
  std::vector<std::string> mistakes;
  for (const std::string& line : lines_of(checked.err)) {
    const bool is_expected = std::ranges::any_of(
        std::vector{"there is no file", "is missing (", "nothing ends the training"},
        [&](const char* known) { return line.find(known) != std::string::npos; });
    const bool counts = line.find(" pairs, ") != std::string::npos && line.ends_with(" kept");
    if (!is_expected && !counts && line.find(" mistakes in ") == std::string::npos)
      mistakes.push_back(line);
  }
  EXPECT_TRUE(checked.exit_code == 0 || checked.exit_code == 2) << checked.err;
  return mistakes;
}

std::vector<fs::path> recipes() {
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(source_folder()) / "configs")) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

TEST(Recipes, HaveNoMistakes) {
  SKIP_WITHOUT_TENSORS();
  EXPECT_GT(recipes().size(), 20u);
  for (const fs::path& recipe : recipes())
    EXPECT_THAT(mistakes_in(recipe), testing::IsEmpty()) << recipe;
}

// `run` is relative to the folder of the config; git ignores runs/ of the checkout.
TEST(Recipes, WriteInsideTheCheckout) {
  const fs::path folder = fs::path(source_folder()) / "configs";
  for (const fs::path& recipe : recipes()) {
    std::string run;
    for (const std::string& line : lines_of(read_plainly(recipe))) {
      if (line.starts_with("run: ")) run = line.substr(5);
    }
    EXPECT_EQ((recipe.parent_path() / run).lexically_normal(),
              folder.parent_path() / "runs" / fs::relative(recipe, folder).replace_extension());
  }
}

// Blocks of a page that are indented as code and begin with a key.
std::vector<std::string> configs_of(const std::string& page) {
  std::vector<std::string> blocks(1);
  for (const std::string& line : lines_of(page)) {
    if (line.starts_with("    ")) {
      blocks.back() += line.substr(4) + "\n";
    } else if (!blocks.back().empty()) {
      blocks.emplace_back();
    }
  }
  std::erase_if(blocks, [](const std::string& block) {
    const std::string key = block.substr(0, block.find(':'));
    return key.empty() || key.find_first_not_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos;
  });
  return blocks;
}

TEST(Recipes, OfThePageOfTasksHaveNoMistakes) {
  SKIP_WITHOUT_TENSORS();
  const TemporaryFolder folder;
  const auto configs = configs_of(read_plainly(fs::path(source_folder()) / "docs/tasks.md"));
  EXPECT_GE(configs.size(), 8U);
  for (const std::string& config : configs) {
    write_plainly(folder / "part.yaml", config);
    EXPECT_THAT(mistakes_in(folder / "part.yaml"), testing::IsEmpty()) << config;
  }
}

}  // namespace
}  // namespace heed
