// The cells of a recurrent decoder, with a state for each hypothesis.
#pragma once

#include <cstdint>
#include <vector>

#include "inference/recurrent_layers.h"
#include "inference/source_encoder.h"

namespace heed {

class DecoderStates {
 public:
  explicit DecoderStates(const RecurrentLayers& model) : model_(model) {}

  // Made of the last states of each encoder layer, of N sentences.
  void start(const std::vector<LastState>& last, int64_t sentences);
  // Advances by a step with the input [R,I] of the first layer.
  void step(const AlignedFloats& input, int64_t rows);
  void gather(const std::vector<int64_t>& rows);
  void join(const DecoderStates& more);

  // States of the top layer [R,W].
  const AlignedFloats& hidden() const { return states_.back().hidden; }
  // The same; with residual connections the sum of the states, after a step [R,W].
  const AlignedFloats& top() const { return *top_; }
  // The state that attention and outputs read: `hidden`, with the memory of an LSTM if they read it.
  // [R,·]
  const AlignedFloats& read(const AlignedFloats& hidden, int64_t rows);

 private:
  struct LayerState {
    AlignedFloats hidden, cell;  // [R,W]; the cell of an LSTM alone
  };

  AlignedFloats bridged(const AlignedFloats& from, int64_t part, int64_t rows) const;

  const RecurrentLayers& model_;
  std::vector<LayerState> states_;
  const AlignedFloats* top_ = nullptr;
  AlignedFloats projected_, gates_, even_sum_, odd_sum_, read_;
};

}  // namespace heed
