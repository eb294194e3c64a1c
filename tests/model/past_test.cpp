// A decoder with attention over its own past equals the equations of Daniluk et al. 2017 in plain
// loops.
#include <gtest/gtest.h>

#include <cmath>

#include "config/reader.h"
#include "holds.h"
#include "model/builders.h"
#include "model/decoders/rnn_config.h"
#include "nn/attention/staged_config.h"
#include "nn/torch.h"
#include "one_thread.h"

namespace heed {
namespace {

using Vector = std::vector<double>;

constexpr int64_t kPastRows = 2, kSteps = 5, kPastWidth = 6, kPastInput = 3;

// weight [N,M], x [M] -> [N]
Vector times(const Tensor& weight, const Vector& x) {
  Vector y;
  for (int64_t i = 0; i < weight.size(0); ++i) {
    double sum = 0;
    for (int64_t j = 0; j < weight.size(1); ++j)
      sum += weight[i][j].item<double>() * x[static_cast<size_t>(j)];
    y.push_back(sum);
  }
  return y;
}

Vector plus(const Vector& a, const Vector& b) {
  Vector sum = a;
  for (size_t i = 0; i < a.size(); ++i) sum[i] += b[i];
  return sum;
}

Vector tanh_of(Vector x) {
  for (double& value : x) value = std::tanh(value);
  return x;
}

Vector numbers(const Tensor& x) {
  Vector list;
  for (int64_t i = 0; i < x.size(0); ++i) list.push_back(x[i].item<double>());
  return list;
}

Vector appended(Vector a, const Vector& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// The i-th of n parts of equal size.
Vector part(const Vector& x, int64_t i, int64_t n) {
  const auto size = static_cast<int64_t>(x.size()) / n;
  return {x.begin() + i * size, x.begin() + (i + 1) * size};
}

class PastOfADecoder : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    RnnDecoderConfig config;
    read_config_text(
        fmt::format("{{cell: rnn, width: 6, attention: none, output_activation: tanh, deep_output: "
                    "false, past: {{parts: {}, attention: {{score: {{type: additive, hidden: "
                    "4}}}}}}}}",
                    GetParam()),
        "past", config);
    decoder_ = builders::rnn_decoder(config, {.input = kPastInput, .sources = {}});
    decoder_->to(torch::kDouble);
    torch::manual_seed(3);
    for (const auto& item : decoder_->named_parameters()) {
      const torch::NoGradGuard no_grad;
      item.value().normal_();
      parameters_[item.key()] = item.value();
    }
    inputs_ = torch::randn({kPastRows, kSteps, kPastInput}, torch::kDouble);
  }
  const Tensor& at(const std::string& name) const { return parameters_.at(name); }

  // vᵀ tanh(W k_t + U k_i + b)
  double score(const Vector& query, const Vector& key) const {
    Vector sum = plus(times(at("past.attention.score.query.weight"), query),
                      times(at("past.attention.score.key.weight"), key));
    sum = tanh_of(plus(sum, numbers(at("past.attention.score.query.bias"))));
    const Vector v = numbers(at("past.attention.score.v"));
    double energy = 0;
    for (size_t i = 0; i < v.size(); ++i) energy += v[i] * sum[i];
    return energy;
  }

  // Σ_i<t softmax(score)_i v_i; zeros at the first step.
  Vector found(const std::vector<Vector>& keys, const std::vector<Vector>& values) const {
    const size_t now = keys.size() - 1;
    Vector weights, context(values[0].size(), 0);
    double total = 0;
    for (size_t i = 0; i < now; ++i) {
      weights.push_back(std::exp(score(keys[now], keys[i])));
      total += weights.back();
    }
    for (size_t i = 0; i < now; ++i) {
      for (size_t d = 0; d < context.size(); ++d) context[d] += weights[i] / total * values[i][d];
    }
    return context;
  }

  std::shared_ptr<Decoder> decoder_;
  std::map<std::string, Tensor> parameters_;
  Tensor inputs_;
};

TEST_P(PastOfADecoder, EqualsTheEquations) {
  holds("reference", {"decoder: rnn past"});
  const torch::NoGradGuard no_grad;
  State state(decoder_->layout(), kPastRows, Pass(), torch::kCPU);
  decoder_->start({}, state.view());
  const Tensor states = decoder_->advance(inputs_, state.view()).hidden;  // [R,T,W]
  const std::string name = GetParam();
  const int64_t parts = name == "whole" ? 1 : name == "key_value" ? 2 : 3;
  for (int64_t r = 0; r < kPastRows; ++r) {
    Vector hidden(kPastWidth, 0);
    std::vector<Vector> keys, values;
    for (int64_t t = 0; t < kSteps; ++t) {
      Vector sum = plus(times(at("layer_0.weight_input")[0], numbers(inputs_[r][t])),
                        times(at("layer_0.weight_hidden")[0], hidden));
      sum = plus(sum, numbers(at("layer_0.bias_input")));
      hidden = tanh_of(plus(sum, numbers(at("layer_0.bias_hidden"))));
      keys.push_back(part(hidden, 0, parts));
      values.push_back(part(hidden, parts == 1 ? 0 : 1, parts));
      const Vector predicts = part(hidden, parts - 1, parts);
      const Vector expected =
          tanh_of(plus(times(at("output.weight"), appended(predicts, found(keys, values))),
                       numbers(at("output.bias"))));
      for (int64_t d = 0; d < kPastWidth; ++d)
        EXPECT_NEAR(states[r][t][d].item<double>(), expected[static_cast<size_t>(d)], 1e-12)
            << "row " << r << ", step " << t << ", unit " << d;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Parts, PastOfADecoder,
                         testing::Values("whole", "key_value", "key_value_predict"),
                         [](const auto& parts) { return std::string(parts.param); });

TEST(PastOfADecoder, HasToFallIntoEqualParts) {
  RnnDecoderConfig config;
  read_config_text("{width: 8, attention: none, past: {parts: key_value_predict}}", "past", config);
  struct Paths final : Problems {
    std::vector<std::string> list;
    void add(const std::string& path, const std::string&) override { list.push_back(path); }
    bool is_set(const std::string&) const override { return false; }
  } paths;
  config.check({.input = 3, .sources = {}}, paths);
  EXPECT_EQ(paths.list, std::vector<std::string>{"past.parts"});
}

// Settings of the attention keep its other defaults: it still reads only the steps before.
TEST(PastOfADecoder, LeavesOutThePresentWhateverTheScore) {
  RnnDecoderConfig config;
  read_config_text("{attention: none, past: {attention: {score: dot}}}", "past", config);
  const auto& attention = dynamic_cast<const StagedConfig&>(*config.past->attention);
  ASSERT_EQ(attention.terms.size(), 1U);
  EXPECT_EQ(attention.terms[0]->type, "directional");
  EXPECT_EQ(attention.score->type, "dot");
}

}  // namespace
}  // namespace heed
