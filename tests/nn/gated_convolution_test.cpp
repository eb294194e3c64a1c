// The convolution of the convolutional model beside that of libtorch, and weight norm beside its formula.
#include "nn/gated_convolution.h"

#include <gtest/gtest.h>

#include "kernels/packed_matrix.h"
#include "nn/compare.h"
#include "nn/int8_training.h"
#include "nn/parameter_gradient.h"
#include "nn/product.h"
#include "nn/torch.h"

namespace heed {
namespace {

constexpr int64_t kConvolutionWidth = 18, kTaps = 3;

struct Convolved {
  Tensor y, by_x;
  std::map<std::string, Tensor> gradients;
};

// The module's own result and gradients for x [R,K-1+T,W].
Convolved convolved(GatedConvolution& module, const Tensor& x) {
  module.zero_grad();
  const Tensor leaf = x.detach().clone().requires_grad_();
  Convolved result{module.forward(leaf), {}, {}};
  probed(result.y).backward();
  result.by_x = leaf.grad();
  for (const auto& [name, value] : parameters_of(module)) result.gradients[name] = value.grad();
  return result;
}

// The same by the convolution of libtorch: w = g v / |v|, and half of the outputs gates the other half.
Convolved expected_of(GatedConvolution& module, const Tensor& x) {
  std::map<std::string, Tensor> own;
  for (const auto& [name, value] : parameters_of(module))
    own[name] = value.detach().clone().requires_grad_();
  const Tensor leaf = x.detach().clone().requires_grad_(), &v = own.at("v");
  const Tensor length = v.square().sum({1, 2}, true).sqrt();
  const Tensor w = own.at("gain").view({-1, 1, 1}) * v / length;
  const Tensor both = torch::conv1d(leaf.transpose(1, 2), w, own.at("bias")).transpose(1, 2);
  const auto halves = both.chunk(2, 2);
  Convolved result{halves[0] * halves[1].sigmoid(), {}, {}};
  probed(result.y).backward();
  result.by_x = leaf.grad();
  for (const auto& [name, value] : own) result.gradients[name] = value.grad();
  return result;
}

void expect_equal(const Convolved& found, const Convolved& expected, double tolerance) {
  expect_close(found.y, expected.y, tolerance, "y");
  expect_close(found.by_x, expected.by_x, tolerance, "gradient of x");
  ASSERT_EQ(expected.gradients.size(), 3);
  for (const auto& [name, gradient] : expected.gradients)
    expect_close(found.gradients.at(name), gradient, tolerance, "gradient of " + name);
}

class GatedConvolutions : public testing::Test {
 protected:
  GatedConvolutions() { fill(module_); }

  GatedConvolution module_{kConvolutionWidth, kTaps, 0.1};
  Tensor x_ = uniform({2, kTaps - 1 + 5, kConvolutionWidth}, "x");
};

TEST_F(GatedConvolutions, EqualThoseOfLibtorch) {
  const Convolved expected = expected_of(module_, x_);
  expect_equal(convolved(module_, x_), expected, kExact);
  const InFloat in_float(module_);
  const Tensor x = x_.to(torch::kFloat);
  expect_equal(convolved(module_, x), expected, kSingle);
  setenv("HEED_PLAIN", "1", 1);
  expect_equal(convolved(module_, x), expected, kSingle);
  unsetenv("HEED_PLAIN");
}

TEST_F(GatedConvolutions, AreInBfloat16) {
  if (!has_bf16_products()) GTEST_SKIP() << "this processor has no products of bfloat16";
  const InFloat in_float(module_);
  const Tensor x = x_.to(torch::kFloat);
  const Convolved expected = expected_of(module_, x);
  const Bf16Scope scope(true);
  const Convolved found = convolved(module_, x);
  EXPECT_FALSE(torch::allclose(found.y, expected.y, 1e-5, 1e-6));
  expect_equal(found, expected, 0.02);
}

TEST_F(GatedConvolutions, AddTheirGradientsInPlace) {
  const InFloat in_float(module_);
  const Tensor x = x_.to(torch::kFloat);
  const Convolved once = convolved(module_, x);
  std::map<std::string, Tensor> before;
  for (const auto& [name, gradient] : once.gradients) before[name] = gradient.clone();
  const GradientsInPlace in_place;
  probed(module_.forward(x)).backward();
  for (const auto& [name, value] : parameters_of(module_))
    expect_close(value.grad(), 2 * before.at(name), kSingle, name);
}

TEST_F(GatedConvolutions, GradientsAreFiniteDifferences) {
  Leaves leaves = parameters_of(module_);
  leaves["x"] = x_;
  expect_gradients(leaves, [&] { return probed(module_.forward(x_)); });
}

// In 8 bits the directions are rounded, and their rows have the norm g, as in translation with int8
// (Packer::normed).
TEST_F(GatedConvolutions, RoundTheirDirectionsInEightBits) {
  const InFloat in_float(module_);
  const Tensor x = x_.to(torch::kFloat);
  auto own = parameters_of(module_);
  const int64_t inputs = kTaps * kConvolutionWidth, outputs = 2 * kConvolutionWidth;
  const Tensor v = own.at("v").detach().flatten(1);
  const PackedMatrix directions(kernels(), Precision::kInt8, v.const_data_ptr<float>(), outputs,
                                inputs);
  Tensor rows = torch::empty({outputs, inputs});
  for (int64_t o = 0; o < outputs; ++o)
    directions.row(o, rows.mutable_data_ptr<float>() + o * inputs);
  const Tensor w = own.at("gain").detach().unsqueeze(1) * rows / rows.square().sum(1, true).sqrt();
  const PackedMatrix weight(kernels(), Precision::kInt8, w.contiguous().const_data_ptr<float>(),
                            outputs, inputs);
  const Tensor windows = x.unfold(1, kTaps, 1).flatten(2).contiguous();  // [R,T,W K]
  Tensor product = torch::empty({windows.size(0), windows.size(1), outputs});
  weight.product(windows.const_data_ptr<float>(), windows.size(0) * windows.size(1),
                 product.mutable_data_ptr<float>());
  const Tensor expected = torch::glu(product + own.at("bias").detach(), 2);
  const Int8Scope scope(true);
  expect_close(module_.forward(x), expected, kSingle, "y");
}

// A row of zeros has no direction: its gradient is that of the scale alone.
TEST_F(GatedConvolutions, StayFiniteWithARowOfZeros) {
  {
    const torch::NoGradGuard no_grad;
    parameters_of(module_).at("v")[3].zero_();
  }
  const InFloat in_float(module_);
  const Convolved found = convolved(module_, x_.to(torch::kFloat));
  for (const auto& [name, gradient] : found.gradients)
    EXPECT_TRUE(gradient.isfinite().all().item<bool>()) << name;
}

}  // namespace
}  // namespace heed
