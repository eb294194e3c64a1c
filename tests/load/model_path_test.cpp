#include "load/model_path.h"

#include <gtest/gtest.h>

#include "base/descriptor.h"
#include "base/file.h"
#include "base/run_folder_names.h"
#include "base/temporary_folder.h"

namespace heed {
namespace {

// The current folder has toy.yaml and its run, runs/toy, with one checkpoint.
class ModelPath : public testing::Test {
 protected:
  ModelPath() : former_(fs::current_path()) {
    fs::current_path(folder_.path());
    const fs::path model = "runs/toy/checkpoints/step-00000002/model";
    fs::create_directories(model);
    write_plainly(model / "model.safetensors", "");
    fs::create_symlink("checkpoints/step-00000002", "runs/toy/best");
    write_plainly("runs/toy/config.yaml", "run: runs/toy\n");
    for (const char* config : {"toy.yaml", "toy.conf"}) write_plainly(config, "run: runs/toy\n");
    write_plainly("new.yaml", "run: runs/new\n");
  }
  ~ModelPath() override { fs::current_path(former_); }
  static void expect_refused(const std::string& path, const std::string& part) {
    EXPECT_ERROR(refuse_other_than_model(path), ErrorKind::kModel, part);
  }

 private:
  TemporaryFolder folder_;
  fs::path former_;
};

TEST_F(ModelPath, IsARunACheckpointOrAModel) {
  for (const char* path : {"runs/toy", "runs/toy/best", "runs/toy/best/model"})
    EXPECT_NO_THROW(refuse_other_than_model(path)) << path;
  EXPECT_ERROR(refuse_other_than_model(""), ErrorKind::kUsage, "MODEL is empty");
}

TEST_F(ModelPath, OfSomethingElseIsAnsweredWithWhatWasMeant) {
  write_plainly("test.src", "a b\n");
  expect_refused("toy.yaml", "toy.yaml is a config; its run is runs/toy");
  expect_refused("toy.conf", "toy.conf is a config; its run is runs/toy");
  expect_refused("new.yaml",
                 "its run is runs/new, which has no checkpoint yet: heed train new.yam");
  expect_refused("runs/toy/config.yaml", "is the config of a run; name the run, runs/toy");
  expect_refused("runs/toy/best/model/model.safetensors",
                 "is a file of a model; name its folder, runs/toy/best/model");
  expect_refused("runs/toy/checkpoints",
                 "holds models and is not a model itself; name one of runs/toy/checkpoints");
  expect_refused("runs", "name one of runs/toy");
  expect_refused("runs/tyo", "does not exist; did you mean 'runs/toy'?");
  expect_refused("toy", "does not exist; did you mean 'runs/toy'?");
  expect_refused("test.src", "is a file, not a model; a text is given by an option such as -i");
}

TEST_F(ModelPath, OfARunInTrainingSaysWhenItsFirstCheckpointComes) {
  fs::create_directories("runs/new/checkpoints");
  const auto expect = [](const std::string& config, const std::string& when) {
    write_plainly("runs/new/config.yaml", config);
    const std::string message =
        "is being trained and has no checkpoint yet; the first one comes " + when;
    expect_refused("runs/new", "runs/new " + message);
    expect_refused("new.yaml", "its run is runs/new, which " + message);
  };
  const Descriptor lock = Descriptor::open_to_read("runs/new");
  ASSERT_TRUE(lock.try_lock());
  const std::string validates = "data: {valid: {source: a, target: b}}\n";
  expect(validates + "train: {validate: {every: 200}, save_every: ~}\n", "after update 200, or");
  expect(validates + "train: {validate: {every: 200}, save_every: 50}\n", "after update 50, or");
  expect("data: {valid: ~}\ntrain: {validate: {every: 200}, save_every: ~}\n",
         "when the training ends");
}

}  // namespace
}  // namespace heed
