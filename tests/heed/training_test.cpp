// heed/training.h beside `heed train`.
#include "heed/training_v0.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "heed/models.h"
#include "heed/translator_c.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

class TrainingOfTheLibrary : public OfTheLibrary {
 protected:
  static std::string config() { return (workshop() / "toy.yaml").string(); }
  // Options of a short run in this folder.
  v0::TrainingOptions options(const std::string& run) const {
    v0::TrainingOptions options;
    options.set = {{"train.max_updates", "6"}, {"train.save_every", "2"}};
    options.run = (folder_ / run).string();
    return options;
  }
  std::string weights(const std::string& run) const {
    return read_plainly(folder_ / run / "latest/model/model.safetensors");
  }

  TemporaryFolder folder_;
};

TEST_F(TrainingOfTheLibrary, EqualsTheProgramBitForBit) {
  const v0::TrainedRun run = v0::train(config(), options("library"));
  EXPECT_EQ(fs::path(run.folder), folder_ / "library");
  EXPECT_TRUE(run.finished);
  EXPECT_EQ(run.updates, 6);
  const Outcome program =
      workshop().run({"train", "toy.yaml", "--run", (folder_ / "program").string(), "--set",
                      "train.max_updates=6", "--set", "train.save_every=2"});
  ASSERT_EQ(program.exit_code, 0) << program.err;
  EXPECT_EQ(weights("library"), weights("program"));
  EXPECT_EQ(v0::Translator(run.folder).translate({"a b c"}).size(), 1u);
}

TEST_F(TrainingOfTheLibrary, AStoppedRunGoesOnAsIfItHadNotStopped) {
  v0::train(config(), options("whole"));
  v0::TrainingOptions part = options("part");
  std::atomic<int> asked = 0;
  part.stop = [&] { return ++asked > 3; };
  const v0::TrainedRun stopped = v0::train(config(), part);
  EXPECT_FALSE(stopped.finished);
  EXPECT_LT(stopped.updates, 6);
  part.stop = nullptr;
  part.start = v0::TrainingStart::kResume;
  const v0::TrainedRun resumed = v0::train(config(), part);
  EXPECT_TRUE(resumed.finished);
  EXPECT_EQ(resumed.updates, 6);
  EXPECT_EQ(weights("part"), weights("whole"));
}

TEST_F(TrainingOfTheLibrary, TheLogComesToTheCaller) {
  v0::TrainingOptions how = options("run");
  how.set["train.validate.patience"] = "3";
  std::vector<std::string> lines;
  std::set<std::string> levels;
  how.log = [&](const std::string& level, const std::string& message) {
    levels.insert(level);
    lines.push_back(message);
  };
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  v0::train(config(), how);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_THAT(lines, testing::Contains(testing::HasSubstr("parameters")));
  EXPECT_THAT(lines, testing::Contains(testing::HasSubstr("done; next: heed translate")));
  EXPECT_THAT(levels, testing::IsSubsetOf({"info", "warn"}));
  EXPECT_THAT(read_plainly(folder_ / "run/train.log"), testing::HasSubstr(lines.back()));
}

TEST_F(TrainingOfTheLibrary, ErrorsAreThoseOfTheProgram) {
  v0::TrainingOptions how = options("run");
  how.set = {{"train.clip", "-1"}, {"model.encoder.cell", "gruu"}};
  EXPECT_PUBLIC_ERROR(v0::train(config(), how), kUsage, "train.clip");
  EXPECT_PUBLIC_ERROR(v0::train(config(), how), kUsage, "gruu");
  EXPECT_PUBLIC_ERROR(v0::train("nowhere.yaml", options("run")), kUsage, "nowhere.yaml");
  EXPECT_FALSE(fs::exists(folder_ / "run"));
  v0::train(config(), options("run"));
  EXPECT_PUBLIC_ERROR(v0::train(config(), options("run")), kUsage, "run");
  how = options("run");
  how.start = v0::TrainingStart::kOverwrite;
  EXPECT_TRUE(v0::train(config(), how).finished);
}

TEST_F(TrainingOfTheLibrary, OneRunsAtATime) {
  v0::TrainingOptions first = options("first");
  std::string refusal;
  first.log = [&](const std::string&, const std::string&) {
    if (!refusal.empty()) return;
    std::thread([&] {
      try {
        v0::train(config(), options("second"));
        refusal = "not refused";
      } catch (const v0::Error& error) {
        refusal = error.what();
      }
    }).join();
  };
  EXPECT_TRUE(v0::train(config(), first).finished);
  EXPECT_THAT(refusal, testing::HasSubstr("another training runs in this process"));
  EXPECT_FALSE(fs::exists(folder_ / "second"));
}

TEST_F(TrainingOfTheLibrary, FromC) {
  const std::unique_ptr<heed_options, void (*)(heed_options*)> how(heed_options_new(),
                                                                   heed_options_free);
  const auto set = [&](const char* name, const std::string& value) {
    return heed_options_set(how.get(), name, value.c_str());
  };
  EXPECT_EQ(set("run", (folder_ / "run").string()), HEED_OK);
  EXPECT_EQ(set("set.train.max_updates", "4"), HEED_OK);
  EXPECT_EQ(set("start", "sometimes"), HEED_USAGE);
  EXPECT_STREQ(heed_last_error(),
               "start: found 'sometimes', expected new, resume, resume_or_new or overwrite");
  int lines = 0;
  heed_options_on_log(
      how.get(), [](const char*, const char*, void* count) { ++*static_cast<int*>(count); },
      &lines);
  heed_run* run = nullptr;
  ASSERT_EQ(heed_train(config().c_str(), how.get(), &run), HEED_OK) << heed_last_error();
  EXPECT_EQ(fs::path(heed_run_folder(run)), folder_ / "run");
  EXPECT_EQ(heed_run_finished(run), 1);
  EXPECT_EQ(heed_run_updates(run), 4);
  EXPECT_GT(lines, 5);
  heed_run_free(run);
  EXPECT_EQ(heed_train(nullptr, nullptr, &run), HEED_USAGE);
  EXPECT_EQ(heed_train("nowhere.yaml", nullptr, nullptr), HEED_USAGE);
  EXPECT_EQ(heed_run_folder(nullptr), nullptr);
}

}  // namespace
}  // namespace heed
