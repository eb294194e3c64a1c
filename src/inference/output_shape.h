// Outputs that the engines of inference/ compute, and the widths of what they read (model/outputs/).
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "model/model_config.h"
#include "model/model_spec.h"
#include "model/outputs/copying_config.h"

namespace heed {

struct SoftmaxShape {  // of the vocabulary
  bool operator==(const SoftmaxShape&) const = default;
};
struct PointerGeneratorShape {
  CopyState state = CopyState::kOutput;
  bool copy_end = false;
  bool operator==(const PointerGeneratorShape&) const = default;
};
struct CopyNetShape {
  CopyState state = CopyState::kOutput;
  bool copy_end = false;
  bool operator==(const CopyNetShape&) const = default;
};
struct PointerShape {
  CopyState state = CopyState::kOutput;
  int64_t hidden = 0;
  bool operator==(const PointerShape&) const = default;
};
struct PointerSumShape {
  bool operator==(const PointerSumShape&) const = default;
};
struct LabelShape {
  bool operator==(const LabelShape&) const = default;
};
struct HardMonotonicShape {
  bool monotonic = true;
  int64_t order = 1;
  int64_t window = 0;  // of order 1
  bool operator==(const HardMonotonicShape&) const = default;
  bool has_transitions() const { return monotonic || order > 0; }
  // Number of jumps a_t - a_{t-1}, and the first of them.
  int64_t jumps() const { return monotonic ? window + 1 : 2 * window + 1; }
  int64_t first_jump() const { return monotonic ? 0 : -window; }
};

struct OutputShape {
  using Kind = std::variant<SoftmaxShape, PointerGeneratorShape, CopyNetShape, PointerShape,
                            HardMonotonicShape, PointerSumShape, LabelShape>;
  Kind kind{};
  bool bias = true;        // of the tokens
  bool is_normed = false;  // weight norm of the layer over the vocabulary, or of that before it
  int64_t input = 0;       // widths of StepVectors
  int64_t hidden = 0, state = 0, context = 0;
  int64_t source = 0;  // of the encoder
  bool operator==(const OutputShape&) const = default;

  template <class Shape>
  const Shape* as() const {
    return std::get_if<Shape>(&kind);
  }
  bool scores_vocabulary() const {
    return as<PointerShape>() == nullptr && as<PointerSumShape>() == nullptr;
  }
  bool reads_weights() const {
    return as<PointerGeneratorShape>() != nullptr || as<PointerSumShape>() != nullptr;
  }
  // True if it reads the states of the source.
  bool reads_source() const { return as<SoftmaxShape>() == nullptr && as<LabelShape>() == nullptr; }
  int64_t all_inputs() const { return input + hidden + state + context + source; }
  // Width of the input of the decoder beside the embedding of a token.
  int64_t beside_embedding() const { return as<CopyNetShape>() != nullptr ? source : 0; }
  // Numbers that the output keeps of each source token.
  int64_t source_numbers() const;
  int64_t width_of(CopyState read) const { return read == CopyState::kDecoder ? state : hidden; }
};

// nullopt if the engines do not support the output.
std::optional<OutputShape> output_shape(const ModelConfig& model, const ModelPlan& plan);

}  // namespace heed
