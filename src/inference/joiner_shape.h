// Joiners that the engines support: of last states (model/joiners/final_states.cpp), and co-attention
// (model/joiners/co_attention.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "inference/state_attention_shape.h"
#include "inference/vocabulary_shape.h"
#include "model/model_config.h"
#include "model/model_spec.h"

namespace heed {

struct NoJoinerShape {
  bool operator==(const NoJoinerShape&) const = default;
};
// Last states of equal shape.
struct LastStatesShape {
  enum class Kind { kBasic, kChildSum };
  Kind kind = Kind::kBasic;
  int64_t sources = 0, layers = 0, width = 0;
  bool operator==(const LastStatesShape&) const = default;
};
struct CoAttentionShape {
  int64_t width = 0;     // of the states
  int64_t hidden = 0;    // of F and H
  int64_t compared = 0;  // of G
  int64_t layers = 0, summary_layers = 0;
  bool in_turn = false, takes_mean = false;
  StateAttentionShape attention{};
  bool operator==(const CoAttentionShape&) const = default;
};

using JoinerShape = std::variant<NoJoinerShape, LastStatesShape, CoAttentionShape>;

// nullopt if the engines do not support the joiner.
std::optional<JoinerShape> joiner_shape(const ModelConfig& model, const ModelPlan& plan);

void add_joiner(ParameterShapes& shapes, const JoinerShape& shape);

}  // namespace heed
