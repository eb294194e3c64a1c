#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace heed {
namespace {

// Checks the figures of the demo in README. Takes one minute on two cores.
TEST(SlowDemo, LearnsItsLanguage) {
  SKIP_WITHOUT_TENSORS();
  const TemporaryFolder folder;
  const std::string run = (folder / "demo").string();
  const RunSettings at_root{.folder = source_folder()};
  const Outcome trained = run_heed({"train", "configs/demo.yaml", "--run", run}, at_root);
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const Outcome outcome = run_heed({"evaluate", "--model", run, "-s", "data/demo/test.en", "-r",
                                    "data/demo/test.de", "-m", "bleu", "--format", "json"},
                                   at_root);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_GE(nlohmann::json::parse(outcome.out).at(0).at("score").get<double>(), 90) << outcome.out;
}

}  // namespace
}  // namespace heed
