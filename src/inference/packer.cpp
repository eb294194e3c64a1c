#include "inference/packer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "model/parameter_names_spec.h"

namespace heed {

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

Array Packer::matrix(const std::string& name) const {
  Array array = read(name);
  HEED_CHECK(array.shape.size() >= 2, "no matrix {}", name);
  const int64_t inputs = array.shape.back();
  array.shape.pop_back();
  const int64_t outputs =
      std::accumulate(array.shape.begin(), array.shape.end(), int64_t{1}, std::multiplies<>());
  array.shape = {outputs, inputs};
  return array;
}

PackedMatrix Packer::packed(const Array& matrix, const std::vector<float>& bias) const {
  return {set_, precision_, matrix.values.data(), matrix.shape[0], matrix.shape[1], bias};
}

PackedMatrix Packer::linear(const std::vector<std::string>& layers, double scale) const {
  Array joint{{0, 0}, {}};
  std::vector<float> bias;
  bool has_bias = false;
  const auto append = [](std::vector<float>& to, std::vector<float> from, float factor) {
    if (factor != 1) std::ranges::for_each(from, [factor](float& value) { value *= factor; });
    if (to.empty()) {
      to = std::move(from);
    } else {
      to.insert(to.end(), from.begin(), from.end());
    }
  };
  for (size_t i = 0; i < layers.size(); ++i) {
    Array array = matrix(names::weight(layers[i]));
    const auto factor = static_cast<float>(i == 0 ? scale : 1);
    joint.shape = {joint.shape[0] + array.shape[0], array.shape[1]};
    append(joint.values, std::move(array.values), factor);
    std::vector<float> own = read(names::bias(layers[i])).values;
    has_bias = has_bias || !own.empty();
    own.resize(static_cast<size_t>(array.shape[0]), 0);
    append(bias, std::move(own), factor);
  }
  if (!has_bias) bias.clear();
  return packed(joint, bias);
}

}  // namespace heed
