#include "train/workers.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "nn/torch.h"

#include "../base/temporary_folder.h"
#include "attention_variants.h"
#include "base/interrupt.h"
#include "holds.h"
#include "train/tiny_run.h"

namespace heed {
namespace {

std::vector<std::vector<Example>> batches(int count) {
  TinyStream stream;
  std::vector<std::vector<Example>> batches;
  for (int i = 0; i < count; ++i) batches.push_back(examples_of(stream.next()));
  return batches;
}

std::vector<Example> merged(const std::vector<std::vector<Example>>& batches) {
  std::vector<Example> all;
  for (const auto& batch : batches) all.insert(all.end(), batch.begin(), batch.end());
  return all;
}

Update update_of(int64_t number, const std::vector<std::vector<Example>>& batches,
                 const Division& division = {}) {
  Update update{.number = number};
  for (const auto& batch : batches) update.add(batch_of(batch, division));
  return update;
}

struct Result {
  TokenSums sums;
  Tensor gradient;
};

Result gradient_of(const ModelConfig& model, const std::vector<std::vector<Example>>& batches,
                   int64_t workers, CrossEntropyOptions settings = {}) {
  auto network = std::make_shared<Seq2Seq>(model, tiny_sizes(), 1);
  FlatParameters parameters(*network);
  settings.label_smoothing = 0.1;
  const CrossEntropy objective({"source"}, settings);
  const auto own = make_workers(network, parameters, objective, 1, workers);
  own->gradient(update_of(1, batches, {.workers = workers}));  // whose gradient must not stay
  const TokenSums sums = own->gradient(update_of(2, batches, {.workers = workers})).read();
  return {sums, parameters.gradient().clone()};
}

void expect_close(const Result& a, const Result& b) {
  EXPECT_NEAR(a.sums.loss / b.sums.loss, 1, 1e-5);
  EXPECT_NEAR(a.sums.negative_log_probability / b.sums.negative_log_probability, 1, 1e-5);
  EXPECT_EQ(a.sums.tokens, b.sums.tokens);
  EXPECT_EQ(a.sums.source_tokens, b.sums.source_tokens);
  EXPECT_EQ(a.sums.correct, b.sums.correct);
  EXPECT_EQ(a.sums.examples, b.sums.examples);
  EXPECT_LT((a.gradient - b.gradient).norm().item<double>(),
            1e-5 * b.gradient.norm().item<double>());
}

ScheduledSamplingConfig always_sampled() {
  ScheduledSamplingConfig sampling;
  sampling.probability = 0.5;
  sampling.over = 1;
  return sampling;
}

// Models with dropout at every place, because a mask must not depend on how rows are distributed.
std::vector<ModelConfig> several_models() {
  ModelConfig deep = tiny_rnn(0.3), fed = tiny_rnn(0.3), after = tiny_rnn(0.3),
              remembering = tiny_rnn(0.3), conditional = tiny_rnn(0.3);
  for (ModelConfig* model : {&deep, &fed, &after, &remembering, &conditional}) {
    std::static_pointer_cast<RnnEncoderConfig>(model->encoder)->variational_dropout = 0.3;
    auto& decoder = static_cast<RnnDecoderConfig&>(*model->decoder);
    decoder.layers = 2;
    static_cast<StagedConfig&>(*decoder.attention).dropout = 0.3;
    if (model == &fed || model == &after) decoder.attend = RnnDecoderConfig::Attend::kAfter;
    decoder.input_feeding = model == &fed;
  }
  auto& twice = static_cast<RnnDecoderConfig&>(*conditional.decoder);
  twice.attend = RnnDecoderConfig::Attend::kConditional;
  twice.transition_depth = 3;
  twice.dropout_mask = DropoutMask::kSequence;
  twice.variational_dropout = 0.3;
  auto& past = static_cast<RnnDecoderConfig&>(*remembering.decoder).past.emplace();
  past.parts = PastConfig::Parts::kWhole;
  static_cast<StagedConfig&>(*past.attention).dropout = 0.3;
  ModelConfig transformer = tiny_transformer(0.3);
  auto& decoder = static_cast<TransformerDecoderConfig&>(*transformer.decoder);
  decoder.layers = 2;
  static_cast<StagedConfig&>(*decoder.self_attention).dropout = 0.3;
  static_cast<StagedConfig&>(*decoder.attention).dropout = 0.3;
  ModelConfig of_words_and_layers = transformer;
  of_words_and_layers.embedding.source_word_dropout = 0.3;
  of_words_and_layers.embedding.target_word_dropout = 0.3;
  static_cast<TransformerEncoderConfig&>(*of_words_and_layers.encoder).layer_dropout = 0.5;
  static_cast<TransformerDecoderConfig&>(*of_words_and_layers.decoder).layer_dropout = 0.5;
  return {tiny_rnn(0), tiny_transformer(0), deep, fed, after, remembering, conditional,
          transformer, of_words_and_layers};
}

// Functions with kernels are compared with the operations of libtorch.
TEST(Workers, FastPathsChangeTheGradientByRoundingOnly) {
  for (const ModelConfig& model : several_models()) {
    const Result fast = gradient_of(model, batches(2), 1);
    setenv("HEED_PLAIN", "1", 1);
    const Result plain = gradient_of(model, batches(2), 1);
    unsetenv("HEED_PLAIN");
    expect_close(fast, plain);
    EXPECT_FALSE(fast.gradient.equal(plain.gradient)) << "the same functions";
  }
}

// Factors in bfloat16 have a relative error of 2^-9.
TEST(Workers, Bf16IsCloseToFp32) {
  holds({"train.precision"});
  for (const ModelConfig& model : several_models()) {
    const Result exact = gradient_of(model, batches(2), 1),
                 rounded = gradient_of(model, batches(2), 1, {.bf16 = true});
    EXPECT_NEAR(rounded.sums.loss / exact.sums.loss, 1, 2e-3);
    const double off = (rounded.gradient - exact.gradient).norm().item<double>() /
                       exact.gradient.norm().item<double>();
    EXPECT_LT(off, 0.1);  // most where layers are left out and embeddings are 0 before a norm
    EXPECT_GT(off, 1e-5) << "nothing is rounded";
  }
}

TEST(Workers, StopBetweenBatchesAtASignal) {
  auto network = std::make_shared<Seq2Seq>(tiny_rnn(), tiny_sizes(), 1);
  FlatParameters parameters(*network);
  const CrossEntropy objective({"source"});
  for (const int64_t workers : {1, 2}) {
    const auto own = make_workers(network, parameters, objective, 1, workers);
    set_caught_signal(SIGTERM);
    EXPECT_THROW(own->gradient(update_of(1, batches(2), {.workers = workers})), Interrupted);
    EXPECT_NO_THROW(own->gradient(update_of(1, batches(1), {.workers = workers})));
    set_caught_signal(0);
    EXPECT_NO_THROW(own->gradient(update_of(1, batches(2), {.workers = workers})));
  }
}

// Performer's random features are drawn again when due.
TEST(Workers, DrawRandomFeaturesAnew) {
  ModelConfig model = tiny_transformer();
  dynamic_cast<TransformerEncoderConfig&>(*model.encoder).self_attention =
      attention_of("{type: linear, features: {type: performer, redraw: 3}, heads: 2}");
  for (const int64_t workers : {1, 2}) {
    auto network = std::make_shared<Seq2Seq>(model, tiny_sizes(), 1);
    FlatParameters parameters(*network);
    const CrossEntropy objective({"source"});
    const auto own = make_workers(network, parameters, objective, 1, workers);
    const auto random = [&] {
      for (const auto& item : network->named_buffers())
        if (item.key().ends_with("random")) return item.value().clone();
      return Tensor();
    };
    const Tensor first = random();
    own->gradient(update_of(3, batches(1), {.workers = workers}));
    EXPECT_TRUE(random().equal(first));
    own->gradient(update_of(4, batches(1), {.workers = workers}));
    EXPECT_FALSE(random().equal(first)) << workers;
  }
}

// Allocates more memory than any machine has.
struct GreedyObjective final : Objective {
  ObjectiveLoss loss(Seq2Seq&, const std::vector<Example>&, const Pass&, int64_t) const override {
    return {.loss = torch::zeros({int64_t{1} << 50}), .sums = {}};
  }
};

TEST(Workers, OutOfMemoryNamesTheUpdateAndItsSentences) {
  auto network = std::make_shared<Seq2Seq>(tiny_rnn(), tiny_sizes(), 1);
  FlatParameters parameters(*network);
  const GreedyObjective objective;
  for (const int64_t workers : {1, 2}) {
    const auto own = make_workers(network, parameters, objective, 1, workers);
    EXPECT_ERROR(own->gradient(update_of(7, batches(1), {.workers = workers})), ErrorKind::kFailure,
                 "out of memory: update 7, the gradient of ");
  }
}

TEST(Workers, OfAnyNumberGiveTheSameGradient) {
  holds({"train.workers"});
  for (const ModelConfig& model : several_models()) {
    const Result one = gradient_of(model, batches(1), 1);
    EXPECT_GT(one.gradient.norm().item<double>(), 0);
    for (const int64_t workers : {2, 3, 8}) {
      expect_close(gradient_of(model, batches(1), workers), one);
    }
  }
}

TEST(Workers, OfAnyNumberGiveTheSameGradientOfAllObjectives) {
  const ScheduledSamplingConfig sampling = always_sampled();
  for (const CrossEntropyOptions& settings :
       {CrossEntropyOptions{.r_drop = 2}, CrossEntropyOptions{.scheduled_sampling = sampling}}) {
    for (const ModelConfig& model : several_models()) {
      const Result one = gradient_of(model, batches(2), 1, settings);
      expect_close(gradient_of(model, batches(2), 3, settings), one);
    }
  }
}

TEST(Workers, AccumulatedBatchesAreOneBatch) {
  holds({"train.accumulate"});
  for (const ModelConfig& model : several_models()) {
    const Result one = gradient_of(model, {merged(batches(3))}, 1);
    expect_close(gradient_of(model, batches(3), 1), one);
    expect_close(gradient_of(model, batches(3), 2), one);
  }
}

TEST(Workers, AreTheSameBitForBitEveryTime) {
  CrossEntropyOptions settings;
  for (const bool bf16 : {false, true}) {
    settings.bf16 = bf16;
    for (const int64_t workers : {1, 2, 3}) {
      const Result one = gradient_of(tiny_rnn(0.3), batches(2), workers, settings);
      for (int i = 0; i < 3; ++i) {
        const Result again = gradient_of(tiny_rnn(0.3), batches(2), workers, settings);
        EXPECT_TRUE(torch::equal(one.gradient, again.gradient));
        EXPECT_EQ(one.sums.loss, again.sums.loss);
      }
    }
  }
}

TEST(Workers, MoreThanSentencesAreFine) {
  auto small = batches(1);
  small[0].resize(1);
  expect_close(gradient_of(tiny_rnn(0), small, 4), gradient_of(tiny_rnn(0), small, 1));
}

// Compares the gradient of the mean loss over the target tokens with finite differences in double
// precision.
TEST(Workers, GradientIsThatOfTheMeanLoss) {
  auto network = std::make_shared<Seq2Seq>(tiny_rnn(0), tiny_sizes(), 1);
  network->to(torch::kDouble);
  FlatParameters parameters(*network);
  const CrossEntropy objective({"source"}, {.label_smoothing = 0.1});
  PlainWorkers workers(network, parameters, objective, 1);
  const auto data = batches(2);
  workers.gradient(update_of(1, data));
  const Tensor gradient = parameters.gradient().clone();
  const auto mean_loss = [&] {
    const TokenSums sums = workers.gradient(update_of(1, data)).read();
    return sums.loss / static_cast<double>(sums.tokens);
  };
  const Tensor direction = gradient / gradient.norm();
  constexpr double kStep = 1e-5;
  parameters.values().add_(direction, kStep);
  const double above = mean_loss();
  parameters.values().sub_(direction, 2 * kStep);
  const double below = mean_loss();
  EXPECT_NEAR((above - below) / (2 * kStep), gradient.norm().item<double>(), 1e-6);
}

class Failing final : public Objective {
 public:
  ObjectiveLoss loss(Seq2Seq&, const std::vector<Example>&, const Pass&, int64_t) const override {
    throw Error(ErrorKind::kData, "no");
  }
};

TEST(Workers, ThrowWhatWentWrongInAThread) {
  auto network = std::make_shared<Seq2Seq>(tiny_rnn(0), tiny_sizes(), 1);
  FlatParameters parameters(*network);
  const Failing objective;
  ThreadWorkers workers(*network, parameters, objective, 1, 2);
  EXPECT_ERROR(workers.gradient(update_of(1, batches(1), {.workers = 2})), ErrorKind::kData, "no");
  EXPECT_ERROR(workers.gradient(update_of(2, batches(1), {.workers = 2})), ErrorKind::kData, "no");
}

}  // namespace
}  // namespace heed
