#include "train/optimizer.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "../base/temporary_folder.h"
#include "base/file.h"
#include "holds.h"
#include "nn/torch.h"

namespace heed {
namespace {

// Twelve numbers from -2 to 2 in two parameters, one of which is used twice.
struct Twelve final : torch::nn::Module {
  explicit Twelve(torch::ScalarType type = torch::kDouble) {
    const Tensor all = torch::linspace(-2, 2, 12, type);
    a = register_parameter("a", all.narrow(0, 0, 4).clone());
    b = register_parameter("b", all.narrow(0, 4, 8).clone().view({4, 2}));
    register_parameter("again", a);
  }
  Tensor a, b;
};

Tensor together(const Tensor& a, const Tensor& b) { return torch::cat({a.flatten(), b.flatten()}); }

void take_steps(Twelve& module, Optimizer& optimizer, int first, int last) {
  for (int step = first; step <= last; ++step) {
    const torch::NoGradGuard no_grad;
    module.a.mutable_grad().copy_(torch::cos(module.a + step));
    module.b.mutable_grad().copy_(torch::cos(module.b + step));
    optimizer.step(0.1 / step, 1);
  }
}

std::shared_ptr<SgdConfig> sgd(double momentum, bool nesterov, double decay) {
  auto config = make_kind<SgdConfig>("sgd");
  config->momentum = momentum;
  config->nesterov = nesterov;
  config->weight_decay = decay;
  return config;
}

std::map<std::string, std::shared_ptr<OptimizerConfig>> cases() {
  auto adagrad = make_kind<AdagradConfig>("adagrad");
  adagrad->initial = 0.2;
  adagrad->epsilon = 0.01;
  adagrad->weight_decay = 0.1;
  auto rmsprop = make_kind<RmspropConfig>("rmsprop");
  rmsprop->decay = 0.9;
  rmsprop->momentum = 0.5;
  rmsprop->epsilon = 0.01;
  rmsprop->weight_decay = 0.1;
  auto adadelta = make_kind<AdadeltaConfig>("adadelta");
  adadelta->decay = 0.8;
  adadelta->epsilon = 0.01;
  adadelta->weight_decay = 0.1;
  auto adafactor = make_kind<AdafactorConfig>("adafactor");
  adafactor->decay = 0.6;
  adafactor->clip = 1.02;
  adafactor->weight_decay = 0.1;
  auto other = make_kind<AdamConfig>("adam");
  other->beta1 = 0.8;
  other->beta2 = 0.98;
  other->epsilon = 1e-3;
  other->weight_decay = 0.1;
  auto decoupled = make_kind<AdamWConfig>("adamw");
  decoupled->weight_decay = 0.2;
  return {{"sgd", make_kind<SgdConfig>("sgd")},
          {"sgd_momentum", sgd(0.9, false, 0.01)},
          {"sgd_nesterov", sgd(0.8, true, 0)},
          {"adagrad", make_kind<AdagradConfig>("adagrad")},
          {"adagrad_other", adagrad},
          {"rmsprop", make_kind<RmspropConfig>("rmsprop")},
          {"rmsprop_other", rmsprop},
          {"adadelta", make_kind<AdadeltaConfig>("adadelta")},
          {"adadelta_other", adadelta},
          {"adafactor", make_kind<AdafactorConfig>("adafactor")},
          {"adafactor_other", adafactor},
          {"adam", make_kind<AdamConfig>("adam")},
          {"adam_other", other},
          {"adamw", decoupled}};
}

nlohmann::json expected() {
  const char* source = std::getenv("HEED_SOURCE");
  const fs::path root = source != nullptr ? source : ".";
  return nlohmann::json::parse(read_file(root / "tests/train/fixtures/optimizers.json"));
}

TEST(Optimizer, StepsAsPyTorchDoes) {
  holds({"train.optimizer.momentum", "train.optimizer.nesterov", "train.optimizer.rate",
         "train.optimizer.decay", "train.optimizer.initial", "train.optimizer.clip",
         "train.optimizer=adagrad", "train.optimizer=rmsprop", "train.optimizer=adadelta",
         "train.optimizer=adam", "train.optimizer=adamw", "train.optimizer=adafactor",
         "train.optimizer=sgd"});
  const auto figures = expected();
  for (const auto& [name, config] : cases()) {
    Twelve module;
    FlatParameters parameters(module);
    take_steps(module, *build(*config, ParameterShard(parameters)), 1, 5);
    const Tensor after = together(module.a, module.b);
    ASSERT_EQ(figures[name].size(), 12u);
    for (int64_t i = 0; i < 12; ++i) {
      EXPECT_NEAR(after[i].item<double>(), figures[name][i].get<double>(), 1e-7) << name << i;
    }
  }
}

// Without scaling by the parameter a step is the learning rate times a clipped update, for any
// scale of the gradient: Shazeer and Stern 2018, algorithm 4, at the first step, where β2 = 0.
TEST(Optimizer, AdafactorScalesByTheParameterUnlessToldNotTo) {
  holds({"train.optimizer.scale_parameter"});
  AdafactorConfig config;
  config.scale_parameter = false;
  Twelve module;
  FlatParameters parameters(module);
  const Tensor before = module.a.detach().clone();
  parameters.gradient().fill_(1e-3);
  builders::adafactor(config, ParameterShard(parameters))->step(0.25, 1);
  EXPECT_TRUE(torch::allclose(before - module.a, torch::full({4}, 0.25, torch::kDouble)));
}

TEST(Optimizer, GoesOnFromASavedStateBitForBit) {
  const TemporaryFolder folder;
  for (const auto& [name, config] : cases()) {
    Twelve whole(torch::kFloat);
    FlatParameters whole_parameters(whole);
    take_steps(whole, *build(*config, ParameterShard(whole_parameters)), 1, 6);

    Twelve first(torch::kFloat);
    FlatParameters first_parameters(first);
    const auto first_optimizer = build(*config, ParameterShard(first_parameters));
    take_steps(first, *first_optimizer, 1, 3);
    write_safetensors(folder / name, first_optimizer->state());

    Twelve second(torch::kFloat);
    FlatParameters second_parameters(second);
    second_parameters.values().copy_(first_parameters.values());
    const auto second_optimizer = build(*config, ParameterShard(second_parameters));
    second_optimizer->load_state(read_safetensors(folder / name), name);
    take_steps(second, *second_optimizer, 4, 6);
    EXPECT_TRUE(torch::equal(whole_parameters.values(), second_parameters.values())) << name;
  }
}

// Two matrices with more elements than a block of a pass over the parameters.
struct Many final : torch::nn::Module {
  Many() {
    for (const char* name : {"a", "b"})
      register_parameter(name, torch::linspace(-2, 2, 90000, torch::kFloat).view({300, 300}));
  }
};

TEST(Optimizer, IsTheSameBitForBitWithAnyNumberOfThreads) {
  for (const auto& [name, config] : cases()) {
    Tensor expected;
    for (const int64_t threads : {1, 2, 3}) {
      Many module;
      FlatParameters parameters(module);
      parameters.use_threads(threads);
      const auto optimizer = build(*config, ParameterShard(parameters));
      for (int step = 1; step <= 3; ++step) {
        parameters.gradient().copy_(torch::cos(parameters.values() + step));
        optimizer->step(0.1 / step, 0.5);
      }
      if (!expected.defined()) expected = parameters.values().clone();
      EXPECT_TRUE(torch::equal(parameters.values(), expected)) << name << ", " << threads;
    }
  }
}

TEST(Optimizer, RefusesTheStateOfAnother) {
  Twelve module;
  FlatParameters parameters(module);
  const auto adam = build(*make_kind<AdamConfig>("adam"), ParameterShard(parameters));
  const auto plain = build(*make_kind<SgdConfig>("sgd"), ParameterShard(parameters));
  EXPECT_ERROR(adam->load_state(plain->state(), "a/optimizer"), ErrorKind::kModel, "a/optimizer");
  EXPECT_ERROR(plain->load_state(adam->state(), "a/optimizer"), ErrorKind::kModel, "a/optimizer");
}

// The estimate of training memory counts these numbers.
TEST(Optimizer, KeepsAsManyNumbersAsItSays) {
  for (const auto& kind : optimizers()) {
    Twelve module;
    FlatParameters parameters(module);
    const std::shared_ptr<OptimizerConfig> config = kind.make();
    int64_t kept = -1;  // the number of steps
    for (const auto& [name, tensor] : build(*config, ParameterShard(parameters))->state())
      kept += tensor.numel();
    double said = 0;
    for (const Tensor& parameter : {module.a, module.b})
      said += config->numbers_kept(parameter.sizes().vec());
    EXPECT_EQ(kept, said) << kind.name;
  }
}

// The square of 1e25 is not finite in float32. A step hides this, because it leaves the parameters
// unchanged.
TEST(Optimizer, SaysWhatIsNotFinite) {
  for (const auto& [name, config] : cases()) {
    if (name.starts_with("sgd")) continue;
    Twelve module(torch::kFloat);
    FlatParameters parameters(module);
    const auto optimizer = build(*config, ParameterShard(parameters));
    parameters.gradient().fill_(1e-3);
    optimizer->step(0.1, 1);
    EXPECT_EQ(optimizer->not_finite(), std::nullopt) << name;
    parameters.gradient().fill_(1e25);
    optimizer->step(0.1, 1);
    EXPECT_NE(optimizer->not_finite(), std::nullopt) << name;
  }
  Twelve module;
  FlatParameters parameters(module);
  const auto optimizer = build(*make_kind<SgdConfig>("sgd"), ParameterShard(parameters));
  EXPECT_EQ(optimizer->not_finite(), std::nullopt);
  parameters.values()[3] = std::nan("");
  EXPECT_EQ(optimizer->not_finite(), "a parameter");
}

TEST(Optimizer, ScalesTheGradientBeforeTheStep) {
  Twelve one, two;
  FlatParameters first(one), second(two);
  first.gradient().fill_(3);
  second.gradient().fill_(1.5);
  build(*make_kind<SgdConfig>("sgd"), ParameterShard(first))->step(0.1, 0.5);
  build(*make_kind<SgdConfig>("sgd"), ParameterShard(second))->step(0.1, 1);
  EXPECT_TRUE(torch::equal(together(one.a, one.b), together(two.a, two.b)));
}

TEST(FlatParameters, AreTheNetworksOwn) {
  Twelve module;
  const Tensor before = together(module.a, module.b).clone();
  FlatParameters parameters(module);
  EXPECT_EQ(parameters.count(), 12);
  EXPECT_TRUE(torch::equal(together(module.a, module.b), before));
  parameters.values().fill_(7);
  EXPECT_EQ(module.b.sum().item<double>(), 56);
  (module.a.sum() + 2 * module.b.sum()).backward();
  EXPECT_EQ(parameters.gradient().sum().item<double>(), 20);
  const NamedTensors named = parameters.named(parameters.values(), "x.");
  EXPECT_EQ(named.size(), 2u);
  EXPECT_EQ(named.at("x.b").sizes(), (std::vector<int64_t>{4, 2}));
}

TEST(FlatParameters, BeginAtAlignedAddresses) {
  Twelve module(torch::kFloat);
  const FlatParameters parameters(module);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(module.a.data_ptr()) % 64, 0u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(module.b.data_ptr()) % 64, 0u);
}

TEST(NormOf, IsTheEuclideanNorm) {
  for (const auto type : {torch::kFloat, torch::kDouble}) {
    EXPECT_DOUBLE_EQ(norm_of(torch::tensor({3.0, 0.0, -4.0}, type)), 5);
    const Tensor ones = torch::ones({100003}, type);
    EXPECT_NEAR(norm_of(ones), std::sqrt(100003.0), 1e-6);
    EXPECT_EQ(norm_of(torch::zeros({5}, type)), 0);
  }
}

TEST(NormOf, IsFiniteExactlyIfEveryElementIs) {
  for (const double bad : {double(NAN), double(INFINITY), -double(INFINITY)}) {
    for (const int64_t index : {0, 500, 1023, 1024, 2999}) {
      Tensor values = torch::ones({3000}, torch::kFloat);
      values[index] = bad;
      EXPECT_FALSE(std::isfinite(norm_of(values)));
    }
  }
  EXPECT_NEAR(norm_of(torch::full({4}, 1e30, torch::kFloat)) / 2e30, 1, 1e-6);
}

}  // namespace
}  // namespace heed
