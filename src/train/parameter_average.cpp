#include "train/parameter_average.h"

#include "nn/torch.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace heed {

namespace {

constexpr const char* kUpdates = "updates";

}  // namespace

ParameterAverage::ParameterAverage(FlatParameters& parameters, double decay)
    : parameters_(parameters), decay_(decay), average_(parameters.values().clone()) {}

void ParameterAverage::add() {
  ++updates_;
  const auto t = static_cast<double>(updates_);
  const double weight = 1 - std::min(decay_, (1 + t) / (10 + t));
  parameters_.in_blocks(average_.numel(), [&](const BufferPart& block) {
    slice_of(average_, block).lerp_(slice_of(parameters_.values(), block), weight);
  });
}

void ParameterAverage::exchange() {
  const torch::NoGradGuard no_grad;
  const Tensor kept = average_.clone();
  average_.copy_(parameters_.values());
  parameters_.values().copy_(kept);
}

bool ParameterAverage::is_finite() const { return std::isfinite(parameters_.norm(average_)); }

NamedTensors ParameterAverage::state() const {
  NamedTensors state = parameters_.named(parameters_.values(), "");
  state[kUpdates] = torch::tensor(updates_, torch::kLong);
  return state;
}

void ParameterAverage::load_state(const NamedTensors& state, const std::string& where) {
  const torch::NoGradGuard no_grad;
  average_.copy_(parameters_.values());
  for (const auto& [name, tensor] : this->state()) {
    const auto found = state.find(name);
    if (found == state.end() || found->second.sizes() != tensor.sizes())
      throw_error(ErrorKind::kModel, "{}: {} is {}; the file belongs to another model", where, name,
                  found == state.end() ? "missing" : "of another shape");
    Tensor(tensor).copy_(found->second);
  }
  updates_ = state.at(kUpdates).item<int64_t>();
}

std::optional<std::string> AveragingStepper::not_finite() {
  if (auto found = stepper_.not_finite()) return found;
  return average_.is_finite() ? std::nullopt : std::optional("the average of the parameters");
}

}  // namespace heed
