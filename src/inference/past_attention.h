// Attention of a recurrent decoder to its own past states (model/decoders/past.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "inference/packer.h"
#include "inference/state_attention.h"
#include "inference/target_memory.h"
#include "model/decoders/past_config.h"

namespace heed {

struct PastShape {
  int64_t parts = 1;          // of a state: one; key and value; key, value and prediction
  bool reads_itself = false;  // the current state is among the keys
  StateAttentionShape attention{};
  // Widths of a part of a state, and of [p; r].
  int64_t part() const { return attention.key; }
  int64_t output() const { return attention.value + attention.context(); }
  bool operator==(const PastShape&) const = default;
};

// width: of the states. nullopt if PastAttention does not support it.
std::optional<PastShape> past_shape(const PastConfig& config, int64_t width);

class PastAttention {
 public:
  // Buffers for intermediate results.
  struct Workspace {
    AlignedFloats keys, values, projected_keys, projected_values;
    SourceStates past;
    StateAttention::Workspace attention;
  };

  PastAttention(const PastShape& shape, const Packer& packer, const Kernels& set);
  // Memory of no rows.
  TargetMemory start() const;
  // States [R,W] of a step, which are added to the memory -> [p; r] [R,P+V]
  void read(const AlignedFloats& states, TargetMemory& memory, Workspace& room,
            AlignedFloats& to) const;

 private:
  // Copies part `number` of each state.  [R,part]
  void copy_part(const AlignedFloats& states, int64_t number, int64_t rows,
                 AlignedFloats& to) const;
  void take_past(const TargetMemory& memory, std::span<const int32_t> slots, Workspace& room) const;

  PastShape shape_;
  const Kernels& set_;
  StateAttention attention_;
};

}  // namespace heed
