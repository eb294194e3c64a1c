// Adafactor (Shazeer and Stern 2018, algorithms 4 and 5), parameter by parameter.
#include <algorithm>
#include <cmath>
#include <limits>

#include "nn/torch.h"

#include "train/optimizer.h"

namespace heed {

namespace {

constexpr double kEpsilon1 = 1e-30;  // of the paper: added to squared gradients
constexpr double kEpsilon2 = 1e-3;   // and the smallest root mean square of a parameter

double root_mean_square(const Tensor& x) {
  return norm_of(x.contiguous()) / std::sqrt(static_cast<double>(x.numel()));
}

// The second moment of the gradient of one parameter: of a matrix, or of the matrices of its last
// two dimensions, by their rows and columns, else of each element.
class SecondMoment {
 public:
  using Remember = std::function<Tensor(const char* name, const std::vector<int64_t>& shape)>;
  SecondMoment(const std::vector<int64_t>& shape, const Remember& remember) {
    if (shape.size() < 2) {
      whole_ = remember("square", shape);
      return;
    }
    std::vector<int64_t> rows = shape, columns = shape;
    rows.back() = 1;
    columns[columns.size() - 2] = 1;
    rows_ = remember("rows", rows);
    columns_ = remember("columns", columns);
  }

  // Takes the gradient in with the weight 1 − β2, and returns the estimate of its square.
  Tensor estimate(const Tensor& gradient, double weight) const {
    const Tensor square = gradient.square().add_(kEpsilon1);
    if (whole_.defined()) return Tensor(whole_).lerp_(square, weight);
    Tensor(rows_).lerp_(square.mean(-1, /*keepdim=*/true), weight);
    Tensor(columns_).lerp_(square.mean(-2, /*keepdim=*/true), weight);
    // Above 0, so that an element without gradient stays: its update is 0 / √(smallest number).
    return ((rows_ / rows_.mean(-2, /*keepdim=*/true)) * columns_)
        .clamp_min(std::numeric_limits<float>::min());
  }

 private:
  Tensor whole_, rows_, columns_;
};

class Adafactor final : public Optimizer {
 public:
  Adafactor(const ParameterShard& shard, const AdafactorConfig& config)
      : Optimizer(shard), config_(config) {
    FlatParameters& parameters = shard.parameters();
    const NamedTensors values = parameters.named(parameters.values(), "");
    const NamedTensors gradients = parameters.named(parameters.gradient(), "");
    for (const auto& [name, value] : values) {
      const auto keep = [this, &name = name](const char* moment,
                                             const std::vector<int64_t>& shape) {
        return remember(moment, name, shape);
      };
      parts_.push_back({value, gradients.at(name), SecondMoment(value.sizes().vec(), keep)});
    }
  }

 private:
  struct Part {
    Tensor values, gradient;
    SecondMoment moment;
  };

  void apply(double rate, double scale_of_gradient) override {
    if (scale_of_gradient != 1) gradient().mul_(scale_of_gradient);
    const double weight = std::pow(static_cast<double>(steps_), -config_.decay);  // 1 − β2
    for (Part& part : parts_) {
      const double scale =
          config_.scale_parameter ? std::max(kEpsilon2, root_mean_square(part.values)) : 1;
      const Tensor update = part.moment.estimate(part.gradient, weight).rsqrt() * part.gradient;
      const double clipped = std::max(1.0, root_mean_square(update) / config_.clip);
      if (config_.weight_decay > 0) part.values.mul_(1 - rate * config_.weight_decay);
      part.values.add_(update, -rate * scale / clipped);
    }
  }

  AdafactorConfig config_;
  std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<Optimizer> builders::adafactor(const OptimizerConfig& config,
                                               const ParameterShard& shard) {
  return std::make_unique<Adafactor>(shard, settings_as<AdafactorConfig>(config));
}

}  // namespace heed
