#include "train/parameter_average.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "holds.h"
#include "train/tiny_run.h"

namespace heed {
namespace {

struct Scalar final : torch::nn::Module {
  Scalar() { x = register_parameter("x", torch::full({1}, 4.0, torch::kDouble)); }
  Tensor x;
};

TEST(ParameterAverage, IsTheMovingAverage) {
  Scalar module;
  FlatParameters parameters(module);
  ParameterAverage average(parameters, 0.5);
  double expected = 4;
  for (int t = 1; t <= 30; ++t) {
    const double value = 4 + t * t;
    {
      const torch::NoGradGuard no_grad;
      module.x.fill_(value);
    }
    average.add();
    const double d = std::min(0.5, (1.0 + t) / (10.0 + t));
    expected = d * expected + (1 - d) * value;
    const WithAverage exchanged(&average);
    EXPECT_NEAR(module.x.item<double>(), expected, 1e-9 * expected);
  }
  EXPECT_EQ(module.x.item<double>(), 4 + 30 * 30);
}

TEST(ParameterAverage, IsCheckedBesideTheParameters) {
  Scalar module;
  FlatParameters parameters(module);
  ParameterAverage average(parameters, 0.5);
  const auto optimizer = build(*make_kind<SgdConfig>("sgd"), ParameterShard(parameters));
  AveragingStepper stepper(*optimizer, average);
  const auto set = [&](double value) {
    const torch::NoGradGuard no_grad;
    module.x.fill_(value);
  };
  EXPECT_EQ(stepper.not_finite(), std::nullopt);
  set(HUGE_VAL);
  EXPECT_EQ(stepper.not_finite(), "a parameter");
  average.add();
  set(4);
  EXPECT_EQ(stepper.not_finite(), "the average of the parameters");
}

TrainJob averaged_job(const std::filesystem::path& folder) {
  TrainJob job = tiny_job(folder, tiny_rnn(0.2));
  job.train.average.emplace().decay = 0.9;
  job.folder.open(RunMode::kOverwrite);
  return job;
}

TEST(ParameterAverage, ResumedEqualsUninterrupted) {
  holds({"--resume"});
  const TemporaryFolder folder;
  const auto runs = expect_resumed_equals_uninterrupted(
      [&](const char* name) { return averaged_job(folder / name); }, 7);
  for (const auto& [name, tensor] : runs.whole.parameters)
    EXPECT_TRUE(torch::equal(tensor, runs.part.parameters.at(name))) << name;
}

// The training itself is that of a run without average; what is validated and saved is not.
TEST(ParameterAverage, IsSavedBesideTheParameters) {
  holds({"train.average.decay"});
  const TemporaryFolder folder;
  const TrainJob averaged = averaged_job(folder / "averaged");
  TrainJob plain = tiny_job(folder / "plain", tiny_rnn(0.2));
  plain.folder.open(RunMode::kOverwrite);
  EXPECT_EQ(train_run(averaged), 0);
  EXPECT_EQ(train_run(plain), 0);
  const Checkpoint own = load_checkpoint(*averaged.folder.latest(), torch::kCPU),
                   other = load_checkpoint(*plain.folder.latest(), torch::kCPU);
  const NamedTensors average = tensors_of(*own.model.network);
  for (const auto& [name, tensor] : tensors_of(*other.model.network)) {
    EXPECT_TRUE(torch::equal(tensor, own.parameters.at(name))) << name;
    EXPECT_FALSE(torch::equal(tensor, average.at(name))) << name;
  }
  EXPECT_NE(own.progress.validations.back().loss, other.progress.validations.back().loss);
  EXPECT_TRUE(other.parameters.empty());
}

}  // namespace
}  // namespace heed
