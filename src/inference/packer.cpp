#include "inference/packer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

#include "base/error.h"
#include "model/parameter_names_spec.h"

namespace heed {

namespace {

Weights weights_of(const StoredTensors& stored) {
  return [&stored](const std::string& name) -> Array {
    const auto found = stored.entries().find(name);
    if (found == stored.entries().end()) return {};
    const std::vector<int64_t>& shape = found->second.shape;
    const int64_t count =
        std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
    Array array{shape, std::vector<float>(static_cast<size_t>(count))};
    stored.read(name, array.values.data());
    return array;
  };
}

}  // namespace

Packer::Packer(const StoredTensors& stored, Precision precision, const Kernels& set)
    : Packer(weights_of(stored), precision, set) {
  packed_ = stored.packed();
  if (packed_ != nullptr) precision_ = packed_->precision();
}

Array Packer::read(const std::string& name) const {
  Array array = weights_(name);
  if (!std::ranges::all_of(array.values, [](float v) { return std::isfinite(v); })) {
    throw_error(ErrorKind::kModel,
                "{} holds values that are not finite numbers: the model is damaged or its training "
                "diverged; use an earlier checkpoint",
                name);
  }
  return array;
}

std::vector<float> Packer::vector(const std::string& name) const {
  Array array = read(name);
  HEED_CHECK(!array.shape.empty(), "no parameter {}", name);
  return std::move(array.values);
}

AlignedFloats Packer::aligned(const std::string& name) const {
  const std::vector<float> values = vector(name);
  return {values.begin(), values.end()};
}

Array Packer::array(const std::string& name) const {
  Array array = read(name);
  HEED_CHECK(array.shape.size() >= 2, "no matrix {}", name);
  const int64_t inputs = array.shape.back();
  array.shape.pop_back();
  const int64_t outputs =
      std::accumulate(array.shape.begin(), array.shape.end(), int64_t{1}, std::multiplies<>());
  array.shape = {outputs, inputs};
  return array;
}

PackedMatrix Packer::matrix(const std::string& weight, const std::string& bias) const {
  return joined({weight}, {bias});
}

PackedMatrix Packer::linear(const std::vector<std::string>& layers) const {
  std::vector<std::string> weights, biases;
  for (const std::string& layer : layers) {
    weights.push_back(names::weight(layer));
    biases.push_back(names::bias(layer));
  }
  return joined(weights, biases);
}

namespace {

// The norm of a row, in double precision.
double norm_of(std::span<const float> row) {
  double squares = 0;
  for (const float x : row) squares += static_cast<double>(x) * x;
  return std::max(std::sqrt(squares), 1e-12);
}

}  // namespace

PackedMatrix Packer::normed(const std::string& layer) const {
  const std::vector<float> gain = vector(names::gain(layer)),
                           bias = read(names::bias(layer)).values;
  const PackedMatrix v = directions(names::direction(layer), std::ssize(gain));
  const int64_t inputs = v.inputs();
  std::vector<float> panel(static_cast<size_t>(kPanelColumns * inputs));
  const PackedMatrix::Rows rows = [&](int64_t first, int64_t count) {
    for (int64_t o = 0; o < count; ++o) {
      const std::span<float> row(panel.data() + o * inputs, static_cast<size_t>(inputs));
      v.row(first + o, row.data());
      const double factor = gain[first + o] / norm_of(row);
      for (float& x : row) x = static_cast<float>(x * factor);
    }
    return panel.data();
  };
  return {set_, precision_, rows, v.outputs(), inputs, bias};
}

PackedMatrix Packer::directions(const std::string& name, int64_t outputs) const {
  matrices_.push_back({name, outputs});
  if (packed_ != nullptr) return packed_->matrix(name, {}, set_);
  const std::vector<float> values = vector(name);
  return {set_, precision_, values.data(), outputs, std::ssize(values) / outputs};
}

PackedMatrix Packer::joined(const std::vector<std::string>& weights,
                            const std::vector<std::string>& biases) const {
  Array joint{{0, 0}, {}};
  std::vector<float> bias;
  bool has_bias = false;
  for (size_t i = 0; i < weights.size(); ++i) {
    int64_t outputs = 0;
    if (packed_ != nullptr) {
      outputs = packed_->outputs(weights[i]);
    } else {
      Array own = array(weights[i]);
      outputs = own.shape[0];
      joint.shape = {joint.shape[0] + outputs, own.shape[1]};
      joint.values.insert(joint.values.end(), own.values.begin(), own.values.end());
    }
    matrices_.push_back({weights[i], outputs});
    std::vector<float> own = biases[i].empty() ? std::vector<float>() : read(biases[i]).values;
    has_bias = has_bias || !own.empty();
    own.resize(static_cast<size_t>(outputs), 0);
    bias.insert(bias.end(), own.begin(), own.end());
  }
  if (!has_bias) bias.clear();
  if (packed_ != nullptr) return packed_->joined(weights, bias, set_);
  return {set_, precision_, joint.values.data(), joint.shape[0], joint.shape[1], bias};
}

}  // namespace heed
