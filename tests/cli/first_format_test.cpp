// Runs in the first format; fixtures/format-1/README.md says how they were made.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace heed {
namespace {

struct FirstRun {
  const char* run;
  double loss_when_resumed;  // of update 25
};
void PrintTo(const FirstRun& one, std::ostream* out) { *out << one.run; }

class FirstFormat : public testing::TestWithParam<FirstRun> {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_TENSORS();
    namespace fs = std::filesystem;
    fs::copy(fs::path(source_folder()) / "tests/cli/fixtures/format-1", folder_.path(),
             fs::copy_options::recursive);
  }
  std::string run() const { return GetParam().run; }

  TemporaryFolder folder_;
};

// "0 ||| x y z ||| -1.007": its text, and its score.
std::pair<std::string, double> candidate(const std::string& line) {
  const size_t score = line.rfind("||| ");
  return {line.substr(0, score), std::stod(line.substr(score + 4))};
}

TEST_P(FirstFormat, TranslatesAsItDid) {
  const Outcome outcome = run_heed(
      {"translate", run() + "/checkpoints/step-00000020/model", "-i", "t.src", "--nbest", "2"},
      {.folder = folder_.path()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto before = lines_of(read_plainly(folder_ / (run() + ".translations"))),
             now = lines_of(outcome.out);
  ASSERT_EQ(now.size(), before.size());
  for (size_t i = 0; i < now.size(); ++i) {
    const auto [old_text, old_score] = candidate(before[i]);
    const auto [text, score] = candidate(now[i]);
    EXPECT_EQ(text, old_text);
    EXPECT_NEAR(score, old_score, 1e-4) << text;
  }
}

// With what the optimizer had remembered of the parameters.
TEST_P(FirstFormat, IsResumedAsItWas) {
  const Outcome outcome = run_heed({"train", run() + ".yaml", "--resume", "--set",
                                    "train.max_updates=25", "--set", "train.log_every=1"},
                                   {.folder = folder_.path()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  nlohmann::json last;  // of the training
  for (const std::string& line : lines_of(read_plainly(folder_ / (run() + "/metrics.jsonl")))) {
    const auto read = nlohmann::json::parse(line);
    if (read.at("kind") == "train") last = read;
  }
  EXPECT_EQ(last.at("update"), 25);
  EXPECT_NEAR(last.at("loss").get<double>(), GetParam().loss_when_resumed, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(All, FirstFormat,
                         testing::Values(FirstRun{"hops", 0.268861},
                                         FirstRun{"transformer", 1.112818}),
                         [](const auto& one) { return std::string(one.param.run); });

}  // namespace
}  // namespace heed
