#include "base/model_folder.h"

#include "base/descriptor.h"
#include "base/file.h"
#include "base/run_folder_names.h"
#include "base/temporary_folder.h"

namespace heed {
namespace {

// A run with the checkpoints 80, the best one, and 120.
class ModelFolder : public testing::Test {
 protected:
  ModelFolder() {
    for (const char* step : {"step-00000080", "step-00000120"}) {
      const fs::path checkpoint = run_ / kRunCheckpoints / step;
      write_model(checkpoint / "model");
      write_plainly(checkpoint / kManifest, "{}");
    }
    write_plainly(run_ / kRunConfig, "");
    replace_link(run_ / "best", "checkpoints/step-00000080");
    replace_link(run_ / "latest", "checkpoints/step-00000120");
  }
  static void write_model(const fs::path& folder) {
    fs::create_directories(folder);
    for (const char* file : {kModelConfig, kModelTensors, kManifest})
      write_plainly(folder / file, "{}");
  }
  static std::string weights(const fs::path& checkpoint) {
    return (fs::canonical(checkpoint) / "model" / kModelTensors).string();
  }
  TemporaryFolder folder_;
  const fs::path run_ = folder_ / "run";
};

TEST_F(ModelFolder, IsThatOfARunACheckpointOrAPath) {
  EXPECT_EQ(find_model(run_), run_ / "best/model");
  EXPECT_EQ(find_model(run_ / "latest"), run_ / "latest/model");
  EXPECT_EQ(find_model(run_ / "best/model"), run_ / "best/model");
  fs::remove(run_ / "best");
  EXPECT_EQ(find_model(run_), run_ / "latest/model");
  fs::remove(run_ / "latest");
  EXPECT_ERROR(find_model(run_), ErrorKind::kModel, "neither best nor latest names a checkpoint");
}

TEST_F(ModelFolder, OfARunInTrainingIsAwaited) {
  fs::remove_all(run_ / kRunCheckpoints);
  for (const char* name : {"best", "latest"}) fs::remove(run_ / name);
  EXPECT_ERROR(find_model(run_), ErrorKind::kModel, "no checkpoint yet; continue its training");
  const Descriptor lock = Descriptor::open_to_read(run_);
  ASSERT_TRUE(lock.try_lock());
  EXPECT_ERROR(find_model(run_), ErrorKind::kModel,
               "is being trained and has no checkpoint yet; wait for the first one");
  fs::create_directories(run_ / kRunCheckpoints / ".step-00000080.abcdef.tmp");
  EXPECT_ERROR(find_model(run_), ErrorKind::kModel, "wait for the first one");
}

// Not the latest one in place of the best.
TEST_F(ModelFolder, OfADamagedCheckpointNamesTheMissingFile) {
  const std::string missing = weights(run_ / "best");
  fs::remove(missing);
  for (const fs::path& path : {run_, run_ / "best", run_ / "checkpoints/step-00000080"})
    EXPECT_ERROR(find_model(path), ErrorKind::kModel,
                 missing + " is missing: the checkpoint is damaged");
  EXPECT_ERROR(find_model(run_ / "best/model"), ErrorKind::kModel,
               missing + " is missing: the model is damaged");
  EXPECT_EQ(find_model(run_ / "latest"), run_ / "latest/model");
}

TEST_F(ModelFolder, OfABestCheckpointThatIsGoneIsRefused) {
  fs::remove_all(run_ / "checkpoints/step-00000080");
  EXPECT_ERROR(find_model(run_), ErrorKind::kModel,
               (run_ / "best").string() + ": names checkpoints/step-00000080, which is missing");
  EXPECT_ERROR(read_model(run_, [](const fs::path&) {}), ErrorKind::kModel, "which is missing");
  fs::create_directories(run_ / "checkpoints/step-00000080");
  EXPECT_ERROR(find_model(run_), ErrorKind::kModel, "which holds no model");
  EXPECT_EQ(find_model(run_ / "latest"), run_ / "latest/model");
}

TEST_F(ModelFolder, OfAnotherToolkitSaysWhoseItIs) {
  const fs::path path = folder_ / "a model";
  fs::create_directories(path);
  write_plainly(path / "config.json", "{}");
  EXPECT_ERROR(find_model(path), ErrorKind::kModel, "is not a run, checkpoint or model");
  for (const char* weights : {"model.safetensors", "pytorch_model.bin"}) {
    write_plainly(path / weights, "");
    EXPECT_ERROR(find_model(path), ErrorKind::kModel,
                 "is a model of transformers; `heed import hf '" + path.string() +
                     "' -o MODEL` converts it");
    fs::remove(path / weights);
  }
  write_plainly(path / "model.bin", "");
  EXPECT_ERROR(find_model(path), ErrorKind::kModel,
               "is a model of CTranslate2; `heed import ctranslate2 '" + path.string() +
                   "' -o MODEL` converts it");
}

}  // namespace
}  // namespace heed
