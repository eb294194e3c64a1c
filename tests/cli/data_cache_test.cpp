// Training with `data.cache` equals training without.
#include <gmock/gmock.h>

#include "cli/trained_model.h"
#include "holds.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class DataCacheOfARun : public testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_TENSORS(); }

  static Arguments training(const std::string& run, const Arguments& more = {}) {
    return joined({"train", "toy.yaml", "--run", run, "--set", "train.max_updates=12", "--set",
                   "train.validate={every: 6, metric: loss}", "--set", "train.workers=1"},
                  more);
  }
  // Returns the log of the training.
  std::string train(const std::string& run, const Arguments& more = {}) const {
    const Outcome outcome = workshop_.run(training(run, more));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.err;
  }
  void expect_equal(const std::string& a, const std::string& b) const {
    for (const char* file :
         {"latest/model/model.safetensors", "latest/optimizer.safetensors", "latest/data.json"})
      EXPECT_EQ(workshop_.read(a + "/" + file), workshop_.read(b + "/" + file))
          << a << " and " << b << ": " << file;
    EXPECT_EQ(report_of(a), report_of(b));
  }
  // Line of the log about the pairs that were kept.
  std::string report_of(const std::string& run) const {
    for (const std::string& line : lines_of(workshop_.read(run + "/train.log"))) {
      const size_t at = line.find("train.src + train.tgt: ");
      if (at != std::string::npos && line.find(" kept") != std::string::npos)
        return line.substr(at);
    }
    ADD_FAILURE() << run << " has no report";
    return "";
  }
  std::vector<std::string> kept() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(workshop_ / "kept"))
      names.push_back(entry.path().filename());
    return names;
  }

  const Arguments cache_{"--set", "data.cache=kept"};
  ToyWorkshop workshop_;
};

TEST_F(DataCacheOfARun, ChangesNoResult) {
  holds({"data.cache"});
  write_plainly(workshop_ / "train.src", workshop_.read("train.src") + "\n");
  write_plainly(workshop_ / "train.tgt", workshop_.read("train.tgt") + "a\n");
  train("without");
  EXPECT_THAT(report_of("without"), HasSubstr("1,001 pairs, 1,000 kept; left out: 1 empty"));
  EXPECT_THAT(train("first", cache_), HasSubstr("data.cache: wrote "));
  EXPECT_THAT(train("second", cache_), HasSubstr("data.cache: the training text is indexed in "));
  expect_equal("first", "without");
  expect_equal("second", "without");
}

TEST_F(DataCacheOfARun, ResumesAsWithout) {
  holds({"data.cache"});
  train("whole");
  const Arguments part{"--set", "train.max_updates=5"}, resume{"--resume"};
  train("with", joined(cache_, part));
  train("with", resume);
  expect_equal("with", "whole");
}

TEST_F(DataCacheOfARun, IsFilledByADryRun) {
  EXPECT_THAT(train("run", joined(cache_, {"--dry-run"})), HasSubstr("wrote"));
  EXPECT_FALSE(fs::exists(workshop_ / "run"));
  EXPECT_THAT(train("run", cache_), HasSubstr("is indexed in"));
}

TEST_F(DataCacheOfARun, KeepsTheDataOfEachPhase) {
  const Arguments phases{
      "--set",
      "train.phases=[{after: 6, data: {train: [{source: train.tgt, target: train.src}]}}]"};
  train("without", phases);
  train("first", joined(phases, cache_));
  const std::string log = train("second", joined(phases, cache_));
  EXPECT_THAT(log, Not(HasSubstr("wrote")));
  expect_equal("first", "without");
  expect_equal("second", "without");
  const Outcome outcome = workshop_.run(
      training("other", {"--set", "train.phases=[{after: 6, data: {cache: other}}]"}));
  EXPECT_THAT(outcome.err, HasSubstr("is a setting of the whole run"));
}

TEST_F(DataCacheOfARun, LeavesNothingOnAFullDisk) {
  const Outcome outcome =
      run_heed(training("run", cache_), {.folder = workshop_.path(), .largest_file = 20'000});
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr(".index: cannot write"));
  EXPECT_FALSE(fs::exists(workshop_ / "run"));
  for (const std::string& name : kept()) EXPECT_THAT(name, EndsWith(".txt"));
}

TEST_F(DataCacheOfARun, SaysWhyTheFolderCannotBeMade) {
  const Outcome outcome = workshop_.run(training("run", {"--set", "data.cache=train.src/kept"}));
  EXPECT_EQ(outcome.exit_code, 5) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("train.src"));
  EXPECT_EQ(workshop_.run(training("run", {"--set", "data.cache=''"})).exit_code, 2);
}

}  // namespace
}  // namespace heed
