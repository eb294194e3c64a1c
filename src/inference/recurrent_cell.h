// Recurrent cells over contiguous rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inference/encoder_shape.h"
#include "inference/packer.h"
#include "kernels/aligned.h"

namespace heed {

// A recurrent cell. Its input is multiplied separately from its state, for all known rows at once.
struct CellLayer {
  CellKind cell = CellKind::kLstm;
  int64_t width = 0;
  PackedMatrix input, state;  // [G·W,I], [G·W,W]
  PackedMatrix candidate{};   // GRU with Reset::kBefore: the last W rows of the state [W,W]

  int64_t gates() const { return input.outputs(); }  // G·W
  // Advances rows of a state in place.  input_part [rows,G·W]: product of `input`, overwritten;
  // hidden [rows,W]; cell [rows,W] of an LSTM; work: [rows,G·W]
  void step(const Kernels& set, int64_t rows, float* input_part, float* hidden, float* cell_state,
            AlignedFloats& work) const;

 private:
  void reset_before_step(const Kernels& set, int64_t rows, const float* input_part, float* hidden,
                         AlignedFloats& work) const;
};

// Copies rows of x [·,width] to another array.  to [rows,width]
void take_rows(const float* x, const std::vector<int64_t>& rows, int64_t width, AlignedFloats& to);

// layer: its name
CellLayer cell_layer(const Packer& packer, const std::string& layer, CellKind cell, Reset reset,
                     int64_t width);

}  // namespace heed
