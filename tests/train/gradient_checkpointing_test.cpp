// Gradient checkpointing in training. The laws test that the gradients of all models are the same
// (tests/model/laws_test.cpp).
#include <gtest/gtest.h>

#include "attention_mechanisms.h"
#include "holds.h"
#include "nn/torch.h"
#include "train/tiny_run.h"
#include "train/workers.h"

namespace heed {
namespace {

// Counts how often the weights of an attention are computed with a gradient.
struct CountingTerm final : Term {
  static inline std::atomic<int> count = 0;
  Tensor reweigh(const Tensor& weights, const At& at) override {
    count += at.pass.training ? 1 : 0;
    return weights;
  }
};

ModelConfig counting_transformer() {
  static const bool once = [] {
    register_test_term<CountingTerm>("test_counting");
    return true;
  }();
  static_cast<void>(once);
  return tiny_transformer_with("test_counting", 0.2);
}

TrainJob job_of(const std::filesystem::path& folder, const ModelConfig& model, bool checkpointing) {
  TrainJob job = tiny_job(folder, model);
  job.train.max_updates = 7;
  job.train.gradient_checkpointing = checkpointing;
  job.valid = std::nullopt;
  job.tests.clear();
  job.folder.open(RunMode::kFresh);
  return job;
}

NamedTensors trained(const TrainJob& job) {
  EXPECT_EQ(train_run(job), 0);
  return tensors_of(*load_checkpoint(*job.folder.latest(), torch::kCPU).model.network);
}

// Each update computes both decoder layers once more.
TEST(GradientCheckpointing, ComputesLayersTwiceAndLearnsTheSame) {
  holds({"train.gradient_checkpointing"});
  const TemporaryFolder folder;
  const ModelConfig model = counting_transformer();
  CountingTerm::count = 0;
  const NamedTensors once = trained(job_of(folder / "once", model, false));
  const int calls = CountingTerm::count;
  const NamedTensors twice = trained(job_of(folder / "twice", model, true));
  EXPECT_GT(calls, 0);
  EXPECT_EQ(CountingTerm::count - calls, 2 * calls);
  for (const auto& [name, tensor] : once) EXPECT_TRUE(torch::equal(tensor, twice.at(name))) << name;
}

// Includes everything that an objective reads of the layers, for any number of workers and in both
// formats.
TEST(GradientCheckpointing, ChangesNoGradientOfAnObjective) {
  CrossEntropyOptions settings;
  settings.label_smoothing = 0.1;
  settings.coverage.weight = 0.5;
  settings.guided_alignment.weight = 0.5;
  settings.r_drop = 2;
  const auto expect_equal = [&](const ModelConfig& model, bool bf16) {
    settings.bf16 = bf16;
    for (const int64_t workers : {1, 2}) {
      const auto gradient = [&](bool recomputes) {
        auto network = std::make_shared<Seq2Seq>(model, tiny_sizes(), 1);
        FlatParameters parameters(*network);
        std::unique_ptr<Objective> objective =
            std::make_unique<CrossEntropy>(std::vector<std::string>{"source"}, settings);
        if (recomputes) objective = std::make_unique<RecomputingObjective>(std::move(objective));
        const auto own = make_workers(network, parameters, *objective, 1, workers);
        TinyStream stream;
        stream.divide({.workers = workers});
        Update update{.number = 2};
        update.add(stream.next());
        update.add(stream.next());
        own->gradient(update);
        return parameters.gradient().clone();
      };
      EXPECT_TRUE(torch::equal(gradient(false), gradient(true))) << bf16 << ", " << workers;
    }
  };
  for (const bool bf16 : {false, true}) {
    expect_equal(tiny_transformer(0.3), bf16);
    expect_equal(tiny_rnn(0.3), bf16);
  }
}

}  // namespace
}  // namespace heed
