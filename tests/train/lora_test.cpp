#include "train/lora.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "directional_gradient.h"
#include "holds.h"
#include "nn/linear.h"
#include "nn/product.h"
#include "train/tiny_run.h"
#include "train/workers.h"

namespace heed {
namespace {

namespace fs = std::filesystem;

LoraConfig config_of(int64_t rank, double alpha, std::vector<std::string> layers = {"all"}) {
  LoraConfig config;
  config.rank = rank;
  config.alpha = alpha;
  config.layers = std::move(layers);
  return config;
}

// A linear layer, a stack of two matrices, and a kernel of a convolution, of doubles.
struct SmallNetwork final : Module {
  SmallNetwork() : layer(*this, "layer", 3, 4) {
    stack = add_parameter("stack", {2, 4, 3}, Init::recurrent());
    kernel = add_parameter("kernel", {4, 3, 2}, Init::matrix());
    to(torch::kDouble);
    const torch::NoGradGuard no_grad;
    double k = 0;
    for (auto& item : named_parameters())
      item.value().copy_(torch::sin(torch::arange(item.value().numel(), torch::kDouble) + ++k)
                             .view(item.value().sizes()));
  }
  Linear layer;
  Tensor stack, kernel;
};

Tensor adapter_of(const Lora& lora, const std::string& name) {
  return lora.parameters().named(lora.parameters().values(), "").at(name);
}

void set_numbers(const Tensor& x, double from) {
  Tensor(x).copy_(torch::cos(torch::arange(x.numel(), torch::kDouble) + from).view(x.sizes()));
}

// One step of gradient descent by loops over y = W x + s B (A x), beside that of the adapters.
TEST(Lora, TakesTheStepOfTheLayersOfThePaper) {
  const torch::NoGradGuard no_grad;
  constexpr int64_t kRank = 2, kIn = 3, kOut = 4, kRows = 5;
  constexpr double kScale = 1.5, kRate = 0.1;
  auto network = std::make_shared<SmallNetwork>();
  Lora lora(config_of(kRank, kScale * kRank, {"layer"}), *network, 1);
  FlatParameters parameters(*network);
  const Tensor a = adapter_of(lora, "layer.weight.lora_A"),
               b = adapter_of(lora, "layer.weight.lora_B"), w = network->layer.weight().clone();
  set_numbers(a, 0.5);
  set_numbers(b, 2);
  lora.merge();
  Tensor x = torch::empty({kRows, kIn}, torch::kDouble),
         by_y = torch::empty({kRows, kOut}, x.options());
  set_numbers(x, 1);
  set_numbers(by_y, 3);
  const auto at = [](const Tensor& m, int64_t i, int64_t j) { return m[i][j].item<double>(); };
  double ax[kRows][kRank] = {}, by_a[kRank][kIn] = {}, by_b[kOut][kRank] = {};
  const Tensor y = network->layer(x) - network->layer.bias();
  for (int64_t n = 0; n < kRows; ++n) {
    for (int64_t r = 0; r < kRank; ++r)
      for (int64_t i = 0; i < kIn; ++i) ax[n][r] += at(a, r, i) * at(x, n, i);
    for (int64_t o = 0; o < kOut; ++o) {
      double expected = 0;
      for (int64_t i = 0; i < kIn; ++i) expected += at(w, o, i) * at(x, n, i);
      for (int64_t r = 0; r < kRank; ++r) {
        expected += kScale * at(b, o, r) * ax[n][r];
        by_b[o][r] += kScale * at(by_y, n, o) * ax[n][r];
        for (int64_t i = 0; i < kIn; ++i)
          by_a[r][i] += kScale * at(by_y, n, o) * at(b, o, r) * at(x, n, i);
      }
      EXPECT_NEAR(at(y, n, o), expected, 1e-12);
    }
  }
  const Tensor a_before = a.clone(), b_before = b.clone();
  {
    const torch::AutoGradMode with_gradient(true);
    network->layer(x).backward(by_y);
  }
  const auto sgd = make_kind<SgdConfig>("sgd");
  const auto optimizer = build(*sgd, ParameterShard(lora.parameters()));
  LoraStepper stepper(*optimizer, lora);
  stepper.gradient_norm();
  stepper.step(kRate, 1);
  for (int64_t r = 0; r < kRank; ++r) {
    for (int64_t i = 0; i < kIn; ++i)
      EXPECT_NEAR(at(a, r, i), at(a_before, r, i) - kRate * by_a[r][i], 1e-12);
    for (int64_t o = 0; o < kOut; ++o)
      EXPECT_NEAR(at(b, o, r), at(b_before, o, r) - kRate * by_b[o][r], 1e-12);
  }
  EXPECT_TRUE(torch::allclose(network->layer.weight(), w + kScale * b.mm(a), 0, 1e-12));
}

// The gradient of B and A, whatever the form of the matrix, beside finite differences.
TEST(Lora, HasTheGradientOfEveryFormOfMatrix) {
  auto network = std::make_shared<SmallNetwork>();
  Lora lora(config_of(2, 3), *network, 1);
  FlatParameters parameters(*network);
  EXPECT_EQ(adapter_of(lora, "stack.lora_A").sizes(), c10::IntArrayRef({2, 2, 3}));
  EXPECT_EQ(adapter_of(lora, "stack.lora_B").sizes(), c10::IntArrayRef({2, 4, 2}));
  EXPECT_EQ(adapter_of(lora, "kernel.lora_A").sizes(), c10::IntArrayRef({2, 6}));
  LearnedTensors adapters;
  for (const auto& [name, tensor] : lora.parameters().named(lora.parameters().values(), ""))
    adapters.emplace_back(name, tensor);
  for (size_t i = 0; i < adapters.size(); ++i)
    set_numbers(adapters[i].second, static_cast<double>(i));
  const auto loss = [&] {
    lora.merge();
    return torch::tanh(network->layer(torch::ones({3}, torch::kDouble)).sum() +
                       (network->stack[0].mm(network->stack[1].t())).sum() * 0.1 +
                       network->kernel.square().sum() * 0.05);
  };
  loss().backward();
  lora.take_gradient();
  const NamedTensors gradients = lora.parameters().named(lora.parameters().gradient(), "");
  for (auto& [name, tensor] : adapters) tensor.mutable_grad() = gradients.at(name);
  DirectionalGradient(adapters, [&] { return loss().item<double>(); }).check(1e-7);
}

struct Kind {
  const char* name;
  ModelConfig model;
};

std::vector<Kind> kinds() { return {{"rnn", tiny_rnn()}, {"transformer", tiny_transformer()}}; }

// The loss of whole networks falls along the gradient of their adapters as computed, by any number
// of workers.
TEST(Lora, HasTheGradientOfNetworks) {
  for (const Kind& kind : kinds()) {
    for (const int64_t workers : {1, 2}) {
      auto network = std::make_shared<Seq2Seq>(kind.model, tiny_sizes(), 1);
      network->to(torch::kDouble);
      Lora lora(config_of(2, 2), *network, 1);
      FlatParameters parameters(*network);
      LearnedTensors adapters;
      const NamedTensors gradients = lora.parameters().named(lora.parameters().gradient(), "");
      for (const auto& [name, tensor] : lora.parameters().named(lora.parameters().values(), "")) {
        set_numbers(tensor, 0.2);
        tensor.mul_(0.3);
        adapters.emplace_back(name, tensor);
        adapters.back().second.mutable_grad() = gradients.at(name);
      }
      const CrossEntropy objective({"source"}, {});
      const auto own = make_workers(network, parameters, objective, 1, workers);
      TinyStream stream;
      stream.divide({.workers = workers});
      Update update{.number = 1};
      update.add(stream.next());
      const auto loss = [&] {
        const torch::AutoGradMode with_gradient(true);
        lora.merge();
        return own->gradient(update).read().loss / static_cast<double>(update.tokens);
      };
      loss();
      lora.take_gradient();
      SCOPED_TRACE(kind.name);
      DirectionalGradient(adapters, loss).check(1e-5);
    }
  }
}

class LoraRun : public testing::Test {
 protected:
  // A run that adapts a model of another run.
  TrainJob job(const std::string& name, const ModelConfig& model = tiny_rnn(0.2),
               const LoraConfig& lora = config_of(2, 4)) {
    if (!fs::exists(folder_ / "base")) {
      TrainJob base = tiny_job(folder_ / "base", model);
      base.train.max_updates = 3;
      base.folder.open(RunMode::kFresh);
      EXPECT_EQ(train_run(base), 0);
    }
    TrainJob job = tiny_job(folder_ / name, model);
    job.train.max_updates = 12;
    job.train.lora = lora;
    job.init.model = folder_ / "base";
    job.initial = load_initial_model(job.init);
    if (!look_at(job.folder).holds_run()) job.folder.open(RunMode::kFresh);
    return job;
  }
  NamedTensors base() const { return tensors(folder_ / "base/checkpoints/step-00000003"); }
  static NamedTensors tensors(const fs::path& checkpoint) {
    return tensors_of(*load_model(checkpoint / "model", torch::kCPU).network);
  }
  TemporaryFolder folder_;
};

TEST_F(LoraRun, ChangesTheMatricesThatAreSelectedAndNothingElse) {
  holds({"train.lora.rank", "train.lora.alpha", "train.lora.layers"});
  struct Case {
    std::vector<std::string> layers;
    std::set<std::string> changed;
  };
  const std::vector<Case> cases = {
      {{}, {"decoder.attention.score.query.weight"}},
      {{"decoder.layer_0"}, {"decoder.layer_0.weight_hidden", "decoder.layer_0.weight_input"}},
      {{"embedding"}, {"source_source.embedding", "target.embedding"}}};
  for (const Case& one : cases) {
    const std::string name = "run" + std::to_string(&one - cases.data());
    const TrainJob own = job(name, tiny_rnn(0.2), config_of(1, 2, one.layers));
    EXPECT_EQ(train_run(own), 0);
    std::set<std::string> changed;
    const NamedTensors after = tensors(*own.folder.latest());
    for (const auto& [tensor, before] : base()) {
      if (after.at(tensor).equal(before)) continue;
      changed.insert(tensor);
      const Tensor change = (after.at(tensor) - before).to(torch::kDouble);
      for (const Tensor& matrix : change.view({-1, change.size(-2), change.size(-1)}).unbind())
        EXPECT_LT(torch::linalg_svdvals(matrix)[1].item<double>(), 1e-6) << tensor;
    }
    EXPECT_EQ(changed, one.changed);
  }
}

TEST_F(LoraRun, AdaptsAllMatricesOfLayers) {
  const TrainJob own = job("all");
  EXPECT_EQ(train_run(own), 0);
  const NamedTensors after = tensors(*own.folder.latest());
  for (const auto& [name, before] : base()) {
    const bool adapted = before.dim() > 1 && !name.ends_with("embedding");
    EXPECT_EQ(after.at(name).equal(before), !adapted) << name;
  }
}

TEST_F(LoraRun, IsResumedExactly) {
  holds({"--resume"});
  for (const bool bf16 : {false, true}) {
    for (const int64_t workers : {1, 2}) {
      const auto of = [&](const std::string& name) {
        TrainJob own = job(fmt::format("{}{}{}", name, bf16, workers));
        own.train.workers = workers;
        own.train.precision = bf16 ? TrainPrecision::kBf16 : TrainPrecision::kFp32;
        return own;
      };
      const InterruptedRun runs = expect_resumed_equals_uninterrupted(of, 5);
      for (const auto& [name, tensor] : runs.whole.optimizer)
        EXPECT_TRUE(tensor.equal(runs.part.optimizer.at(name))) << name;
    }
  }
}

// The merged model is that of the checkpoint, to the bit, and so are its probabilities.
TEST_F(LoraRun, HasAnAdapterThatMergesToItsModel) {
  const TrainJob own = job("run", tiny_transformer(0.2));
  EXPECT_EQ(train_run(own), 0);
  const fs::path checkpoint = *own.folder.latest(), adapter = adapter_file(checkpoint);
  const LoadedModel model =
      load_model(folder_ / "base/checkpoints/step-00000003/model", torch::kCPU);
  EXPECT_GT(merge_adapter(adapter, *model.network), 10);
  const NamedTensors merged = tensors_of(*model.network);
  for (const auto& [name, tensor] : tensors(checkpoint))
    EXPECT_TRUE(tensor.equal(merged.at(name))) << name;
  EXPECT_ERROR(merge_adapter(adapter, *model.network), ErrorKind::kModel, "another model");
  EXPECT_ERROR(merge_adapter(optimizer_file(checkpoint), *model.network), ErrorKind::kModel,
               "is not an adapter");
}

TEST_F(LoraRun, RefusesADamagedAdapter) {
  const TrainJob own = job("run", tiny_rnn(0.2), config_of(2, 4, {}));
  EXPECT_EQ(train_run(own), 0);
  const fs::path model = folder_ / "base/checkpoints/step-00000003/model", file = folder_ / "bad";
  const NamedTensors whole = read_safetensors(adapter_file(*own.folder.latest()));
  const std::string name = "decoder.attention.score.query.weight", a = name + ".lora_A",
                    b = name + ".lora_B";
  const auto expect_refused = [&](const std::function<void(NamedTensors&)>& damage,
                                  const std::string& part) {
    NamedTensors adapter = whole;
    damage(adapter);
    write_safetensors(file, adapter);
    const LoadedModel loaded = load_model(model, torch::kCPU);
    EXPECT_ERROR(merge_adapter(file, *loaded.network), ErrorKind::kModel, part);
    EXPECT_ERROR(merge_adapter(file, *loaded.network), ErrorKind::kModel, file.string());
  };
  ASSERT_TRUE(whole.contains(a) && whole.contains(b));
  const int64_t inputs = whole.at(a).size(1), outputs = whole.at(b).size(0);
  expect_refused(
      [&](NamedTensors& adapter) {
        adapter[a] = torch::zeros({0, inputs});
        adapter[b] = torch::zeros({outputs, 0});
      },
      a + " [0,");
  expect_refused(
      [&](NamedTensors& adapter) {
        adapter[a] = torch::zeros({3, inputs});
      },
      "do not fit");
  expect_refused(
      [&](NamedTensors& adapter) {
        adapter[b] = torch::zeros({1, outputs, 2});
      },
      "do not fit");
  expect_refused([&](NamedTensors& adapter) { adapter[a] = torch::zeros({}); }, "do not fit");
  for (const std::string& one : {a, b}) {
    expect_refused([&](NamedTensors& adapter) { adapter[one] = adapter[one].to(torch::kInt); },
                   one + " has numbers of type Int");
    expect_refused([&](NamedTensors& adapter) { adapter[one] = adapter[one] + std::nan(""); },
                   one + " has numbers that are not finite");
    expect_refused([&](NamedTensors& adapter) { adapter.erase(one); }, "but not " + one);
  }
  expect_refused([&](NamedTensors& adapter) { adapter["scale"] = torch::tensor(std::nanf("")); },
                 "scale is nan");
  expect_refused([&](NamedTensors& adapter) { adapter["scale"] = torch::tensor(1); },
                 "is not an adapter");
  expect_refused(
      [&](NamedTensors& adapter) {
        adapter["scale"] = torch::tensor(1e30F);
        adapter[a] = torch::full_like(adapter[a], 1e30);
      },
      "with it, " + name + " has numbers that are not finite");
  expect_refused(
      [&](NamedTensors& adapter) {
        adapter.erase(a);
        adapter.erase(b);
      },
      "has no matrices");
  expect_refused(
      [&](NamedTensors& adapter) {
        adapter["none.lora_A"] = torch::zeros({2, 2});
      },
      "the model has no none");
}

// Models of Marian are of this kind.
TEST_F(LoraRun, KeepsTheZerosThatATargetBeginsWith) {
  ModelConfig model = tiny_rnn(0.2);
  model.embedding.tie = Tie::kTarget;
  model.embedding.zero_begin = true;
  for (const std::string layers : {"all", "target.embedding"}) {
    const auto of = [&](const std::string& name) {
      return job(name + layers, model, config_of(2, 4, {layers}));
    };
    expect_resumed_equals_uninterrupted(of, 5);
    const TrainJob own = of("whole");
    const NamedTensors after = tensors(*own.folder.latest());
    const Tensor table = after.at("target.embedding");
    EXPECT_FALSE(table[kBegin].any().item<bool>());
    EXPECT_EQ(table.equal(base().at("target.embedding")), layers == "all");
    const LoadedModel merged =
        load_model(folder_ / "base/checkpoints/step-00000003/model", torch::kCPU);
    EXPECT_GT(merge_adapter(adapter_file(*own.folder.latest()), *merged.network), 0);
    for (const auto& [name, tensor] : tensors_of(*merged.network))
      EXPECT_TRUE(tensor.equal(after.at(name))) << name;
  }
}

// The optimizer keeps numbers for the adapters alone.
TEST_F(LoraRun, HasASmallOptimizer) {
  const TrainJob own = job("run", tiny_rnn(0.2), config_of(1, 2, {}));
  EXPECT_EQ(train_run(own), 0);
  int64_t numbers = 0;
  for (const auto& [name, tensor] : load_checkpoint(*own.folder.latest(), torch::kCPU).optimizer)
    numbers += tensor.numel();
  const Tensor matrix = base().at("decoder.attention.score.query.weight");
  EXPECT_EQ(numbers, 1 + 2 * (matrix.size(0) + matrix.size(1)));  // twice A and B, and the steps
}

TEST_F(LoraRun, LearnsTheSameWithGradientCheckpointing) {
  TrainJob plain = job("plain", tiny_transformer(0.2)), again = job("again", tiny_transformer(0.2));
  again.train.gradient_checkpointing = true;
  EXPECT_EQ(train_run(plain), 0);
  EXPECT_EQ(train_run(again), 0);
  const NamedTensors a = tensors(*plain.folder.latest()), b = tensors(*again.folder.latest());
  for (const auto& [name, tensor] : a) EXPECT_TRUE(tensor.equal(b.at(name))) << name;
}

TEST_F(LoraRun, RefusesWhatItCannotAdapt) {
  EXPECT_ERROR(Training(job("a", tiny_rnn(), config_of(1, 1, {"encoder_sorce"})), std::nullopt),
               ErrorKind::kUsage, "selects no parameter");
  TrainJob phased = job("b");
  TrainPhase phase{.after = 5,
                   .learning = phased.train,
                   .model = phased.model.model,
                   .batches = phased.batches,
                   .description = "phase 2"};
  phase.learning.freeze = {"decoder"};
  phased.phases = {phase};
  EXPECT_ERROR(Training(phased, std::nullopt), ErrorKind::kUsage, "leave freeze out");
}

TEST(LoraConfig, ScalesByAlphaAndRank) {
  holds({"train.lora.rank_stabilized"});
  LoraConfig config = config_of(4, 6);
  EXPECT_EQ(config.scale(), 1.5);
  config.rank_stabilized = true;
  EXPECT_EQ(config.scale(), 3);
}

}  // namespace
}  // namespace heed
