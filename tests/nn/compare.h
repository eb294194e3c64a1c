// How the tests of tensors compare: numbers drawn by name, conversion to and from the references,
// closeness, and gradients held to central differences.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "nn/tensor.h"
#include "nn/torch.h"
#include "one_thread.h"
#include "reference/matrix.h"

namespace heed {

// Double, uniform in ±half_width, by the name of the use.
inline Tensor uniform(c10::IntArrayRef shape, const std::string& name, double half_width = 1) {
  Tensor values = torch::empty(shape, torch::kDouble);
  RandomStream stream(stream_key(1, name));
  double* out = values.mutable_data_ptr<double>();
  for (int64_t i = 0; i < values.numel(); ++i) out[i] = half_width * (2 * stream.uniform() - 1);
  return values;
}

// Every parameter in double, drawn by its name: no gain is 1 and no bias 0, so each one counts.
inline void fill(torch::nn::Module& module) {
  module.to(torch::kDouble);
  const torch::NoGradGuard no_grad;
  for (auto& item : module.named_parameters()) {
    item.value().copy_(uniform(item.value().sizes(), item.key(), 0.7));
  }
}

inline std::map<std::string, Tensor> parameters_of(const torch::nn::Module& module) {
  std::map<std::string, Tensor> found;
  for (const auto& item : module.named_parameters()) found[item.key()] = item.value();
  return found;
}

// The same module in single precision, for as long as the guard lives.
class InFloat {
 public:
  explicit InFloat(torch::nn::Module& module) : module_(module), before_(parameters_of(module)) {
    for (auto& [name, value] : before_) value = value.detach().clone();
    module_.to(torch::kFloat);
  }
  ~InFloat() {
    module_.to(torch::kDouble);
    const torch::NoGradGuard no_grad;
    for (auto& item : module_.named_parameters()) item.value().copy_(before_.at(item.key()));
  }
  InFloat(const InFloat&) = delete;
  InFloat& operator=(const InFloat&) = delete;

 private:
  torch::nn::Module& module_;
  std::map<std::string, Tensor> before_;
};

inline reference::Vector vector_of(const Tensor& x) {
  const Tensor flat = x.detach().to(torch::kDouble).flatten().contiguous();
  const double* begin = flat.const_data_ptr<double>();
  return {begin, begin + flat.numel()};
}
// [..,n] as a matrix of n columns.
inline reference::Matrix matrix_of(const Tensor& x) {
  const auto columns = static_cast<size_t>(x.size(-1));
  return {static_cast<size_t>(x.numel()) / columns, columns, vector_of(x)};
}
inline Tensor tensor_of(const reference::Vector& x) {
  return torch::tensor(c10::ArrayRef<double>(x), torch::kDouble);
}
inline Tensor tensor_of(const reference::Matrix& x) {
  return tensor_of(x.numbers).view({static_cast<int64_t>(x.rows), static_cast<int64_t>(x.columns)});
}

constexpr double kExact = 1e-10;  // double against double
constexpr double kSingle = 1e-5;  // float against double, relative to the largest number

inline void expect_close(const Tensor& actual, const Tensor& expected, double tolerance,
                         const std::string& what) {
  ASSERT_TRUE(actual.defined()) << what;
  ASSERT_EQ(actual.sizes(), expected.sizes()) << what;
  if (actual.numel() == 0) return;
  const Tensor a = actual.detach().to(torch::kDouble), e = expected.detach().to(torch::kDouble);
  ASSERT_TRUE(a.isfinite().all().item<bool>()) << what;
  const double scale = std::max(1.0, e.abs().max().item<double>());
  EXPECT_NEAR((a - e).abs().max().item<double>(), 0, tolerance * scale) << what << "\n" << a << e;
}

using Leaves = std::map<std::string, Tensor>;

// One number that depends on every element of x, differently on each.
inline Tensor probed(const Tensor& x, const std::string& name = "probe") {
  return (x * uniform(x.sizes(), name).to(x.scalar_type())).sum();
}

// d loss / d leaf by autograd against (loss(x+h) - loss(x-h)) / 2h at up to `most` elements of
// each leaf. Leaves are doubles.
inline void expect_gradients(Leaves leaves, const std::function<Tensor()>& loss,
                             int64_t most = 12) {
  for (auto& [name, leaf] : leaves) {
    leaf.requires_grad_(true);
    leaf.mutable_grad() = Tensor();
  }
  loss().backward();
  constexpr double kStep = 2e-6;
  for (auto& [name, leaf] : leaves) {
    ASSERT_TRUE(leaf.grad().defined()) << name;
    const torch::NoGradGuard no_grad;
    double* values = leaf.mutable_data_ptr<double>();
    const Tensor grad = leaf.grad().contiguous();
    const int64_t stride = std::max<int64_t>(1, leaf.numel() / most);
    for (int64_t i = 0; i < leaf.numel(); i += stride) {
      const double before = values[i];
      values[i] = before + kStep;
      const double above = loss().item<double>();
      values[i] = before - kStep;
      const double below = loss().item<double>();
      values[i] = before;
      const double expected = (above - below) / (2 * kStep);
      EXPECT_NEAR(grad.flatten()[i].item<double>(), expected,
                  1e-6 * std::max(1.0, std::abs(expected)))
          << name << " at " << i;
    }
  }
}

inline Leaves with_leaves(const torch::nn::Module& module, Leaves more) {
  for (auto& [name, value] : parameters_of(module)) more[name] = value;
  return more;
}

}  // namespace heed
