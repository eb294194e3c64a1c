// Gradients beside finite differences along a direction.
#pragma once

#include <gtest/gtest.h>
#include "nn/torch.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "nn/tensor.h"

namespace heed {

using LearnedTensors = std::vector<std::pair<std::string, Tensor>>;

// Checks the gradients that `tensors`, of doubles, have of a loss: the derivative of the loss along
// one direction in which no element stands still, of all tensors together; if it is another, which
// may be because the loss is not smooth between the two points, that of each tensor.
class DirectionalGradient {
 public:
  DirectionalGradient(LearnedTensors tensors, std::function<double()> loss)
      : tensors_(std::move(tensors)), loss_(std::move(loss)) {
    for (size_t k = 0; k < tensors_.size(); ++k) {
      const Tensor& value = tensors_[k].second;
      directions_.push_back(torch::cos(torch::arange(value.numel(), torch::kDouble) * 1.7 + 0.3 +
                                       0.9 * static_cast<double>(k))
                                .view(value.sizes())
                                .to(value.device()));
    }
  }

  void check(double tolerance) {
    const torch::NoGradGuard no_grad;
    ASSERT_FALSE(tensors_.empty());
    std::vector<size_t> all;
    for (size_t k = 0; k < tensors_.size(); ++k) all.push_back(k);
    // Absolute, so that a large derivative hides no small one.
    if (error_along(all).absolute <= tolerance) return;
    for (const size_t k : all) EXPECT_LE(error_along({k}).relative, tolerance) << tensors_[k].first;
  }

 private:
  struct Difference {
    double absolute, relative;  // relative to the derivative where that is above 1
  };
  Difference error_along(const std::vector<size_t>& moved) {
    constexpr double kStep = 1e-6;
    double expected = 0;
    for (const size_t k : moved)
      expected += (tensors_[k].second.grad() * directions_[k]).sum().item<double>();
    move(moved, kStep);
    const double above = loss_();
    move(moved, -2 * kStep);
    const double below = loss_();
    move(moved, kStep);
    const double found = (above - below) / (2 * kStep);
    const double error = std::abs(found - expected);
    return {error, error / std::max(1.0, std::abs(expected))};
  }
  void move(const std::vector<size_t>& moved, double by) {
    for (const size_t k : moved) tensors_[k].second.add_(directions_[k], by);
  }

  LearnedTensors tensors_;
  std::function<double()> loss_;
  std::vector<Tensor> directions_;
};

// The gradient of a loss [] by all parameters of a network of doubles.
inline void check_gradient(torch::nn::Module& network, const std::function<Tensor()>& loss,
                           double tolerance) {
  loss().backward();
  LearnedTensors parameters;
  for (const auto& item : network.named_parameters())
    parameters.emplace_back(item.key(), item.value());
  DirectionalGradient(parameters, [&] { return loss().item<double>(); }).check(tolerance);
}

}  // namespace heed
