// Lightweight and dynamic convolution in place of self-attention equal their definitions.
#include <gtest/gtest.h>

#include "nn/attention/convolution_config.h"
#include "nn/compared_attention.h"
#include "reference/convolution.h"

namespace heed {
namespace {

class ConvolutionAttentions : public ComparedAttentions {
 protected:
  void expect_equal(const Attended& actual, double tolerance) const override {
    const auto parameters = parameters_of(*attention_);
    const auto affine = [&](const char* name, const reference::Matrix& x) {
      return reference::affine(matrix_of(parameters.at(std::string(name) + ".weight")),
                               vector_of(parameters.at(std::string(name) + ".bias")), x);
    };
    const auto config = std::dynamic_pointer_cast<ConvolutionConfig>(GetParam().config());
    const auto input = [&](const reference::Matrix& x) {
      const reference::Matrix projected = affine("input", x);
      return config->gated_input ? reference::each_row(projected, reference::glu) : projected;
    };
    for (int64_t r = 0; r < 3; ++r) {
      const Sentence own = sentence(r);
      // Positions behind the sentence are 0.
      reference::Matrix x = input(own.values);
      const auto length =
          static_cast<size_t>(GetParam().own_past() ? query_.size(1) : lengths_[r].item<int64_t>());
      for (size_t s = length; s < x.rows; ++s) x.set_row(s, reference::Vector(x.columns, 0.0));
      std::vector<reference::Matrix> kernels;
      for (size_t t = 0; t < own.query.rows; ++t)
        kernels.push_back(kernel(*config, input(own.query).row(t)));
      const auto y = reference::lightweight_convolution(x, kernels, GetParam().own_past());
      expect_close(actual.context[r], tensor_of(affine("output", y)), tolerance, "context");
    }
  }

 private:
  // The logits of a position, [H,K].
  reference::Matrix kernel(const ConvolutionConfig& config, const reference::Vector& x) const {
    const auto parameters = parameters_of(*attention_);
    if (!config.is_dynamic()) return matrix_of(parameters.at("kernel"));
    const auto heads = static_cast<size_t>(*config.heads);
    const auto flat = reference::product(matrix_of(parameters.at("kernel.weight")), x);
    return {heads, flat.size() / heads, flat};
  }
};

TEST_P(ConvolutionAttentions, EqualTheEquations) { compare(); }

std::vector<Case> convolution_cases() {
  std::vector<Case> cases;
  for (const Case& c : cases_beside_stages()) {
    if (c.beside.find("convolution") != c.beside.npos) cases.push_back(c);
  }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(All, ConvolutionAttentions, testing::ValuesIn(convolution_cases()),
                         [](const auto& variant) { return variant.param.name(); });

std::string convolution_refusals(const std::string& attention, Place place) {
  std::string all;
  for (const auto& reason :
       refusals_of(*attention_of(attention),
                   {.place = place, .query = 8, .source = {.key = 8, .value = 8}, .block = 8}))
    all += reason + "\n";
  return all;
}

TEST(ConvolutionAttention, RefusesWhatHasNoMeaning) {
  const std::string even = "{type: dynamic_convolution, kernel: 4}";
  EXPECT_EQ(convolution_refusals(even, Place::kDecoderSelf), "");
  EXPECT_NE(convolution_refusals(even, Place::kEncoderSelf).find("4 has no middle"),
            std::string::npos);
  EXPECT_NE(convolution_refusals("lightweight_convolution", Place::kCross)
                .find("use it in self_attention"),
            std::string::npos);
  EXPECT_NE(convolution_refusals("{type: lightweight_convolution, heads: 3}", Place::kEncoderSelf)
                .find("3 heads do not divide the width 8"),
            std::string::npos);
  const AttentionDims unequal{
      .place = Place::kEncoderSelf, .query = 6, .source = {.key = 6, .value = 8}};
  const auto reasons = refusals_of(*attention_of("dynamic_convolution"), unequal);
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_NE(reasons[0].find("their widths are 6 and 8"), std::string::npos);
}

// Weights of the kernel are dropped in training alone, and by row.
TEST(ConvolutionAttention, DropsWeightsOfTheKernel) {
  const auto attention =
      build(*attention_of("{type: lightweight_convolution, kernel: 3, heads: 2, dropout: 0.5}"),
            {.place = Place::kDecoderSelf, .query = 8, .source = {.key = 8, .value = 8}});
  fill(*attention);
  const Tensor x = uniform({1, 6, 8}, "x").expand({3, 6, 8});
  const auto contexts = [&](const Pass& pass) {
    State state(attention->layout(), 3, pass, torch::kCPU);
    return attention->attend_past(x, x, x, positions_from(0, 3, 6), state.view()).context;
  };
  const Tensor plain = contexts({}), dropped = contexts(Pass::for_training(1, 1));
  EXPECT_TRUE(torch::equal(plain[0], plain[1]));
  EXPECT_FALSE(torch::equal(dropped[0], dropped[1]));
  EXPECT_TRUE(torch::equal(dropped, contexts(Pass::for_training(1, 1))));
}

}  // namespace
}  // namespace heed
