// Parameters and layers of a recurrent model, over contiguous rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inference/recurrent_attention.h"
#include "inference/recurrent_shape.h"
#include "inference/vocabulary.h"

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

struct EncoderLevel {
  CellLayer forward, backward;  // backward.input is empty in a unidirectional encoder
};

// Last states of an encoder layer for each sentence.
struct LastState {
  AlignedFloats hidden, cell;  // [N,W]; cell: of an LSTM
};

// Sentences whose tokens are adjacent rows, and the order in which a cell reads them: by time step,
// longest sentences first, so that the sentences that still have tokens at a step are the first
// rows.
struct TimeOrder {
  // Sentence i is tokens begins[i] to begins[i+1].
  explicit TimeOrder(const std::vector<int64_t>& begins);
  std::vector<int64_t> sentence;  // of each row of the state [N]
  std::vector<int64_t> rows;      // of each time step
  // Token of each row and time step, in reading order.  [tokens]
  std::vector<int64_t> forward, backward;
};

struct RecurrentLayers {
  // Buffers for intermediate results.
  struct Workspace {
    AlignedFloats read, projected, gates, outputs, hidden, cell;
  };

  RecurrentLayers(const RecurrentShape& shape, const Packer& packer, const Kernels& set);

  // x [tokens,E], replaced by the states [tokens,W of the encoder]. Returns the last states of each
  // layer.
  std::vector<LastState> encode(const std::vector<int64_t>& begins, AlignedFloats& x,
                                Workspace& room) const;

  RecurrentShape shape;
  const Kernels& set;
  Embeddings embeddings;
  std::vector<EncoderLevel> encoder;
  std::vector<CellLayer> decoder;
  std::vector<PackedMatrix> bridges;  // two a layer, the second for the cell of an LSTM
  RecurrentAttention attention;
  PackedMatrix attentional;  // the layer of h̃; of maxout, all first pieces, then all second ones
  OutputLayer output;

 private:
  void run(const CellLayer& layer, const TimeOrder& order, bool backward, const AlignedFloats& x,
           int64_t column, LastState& last, Workspace& room) const;
};

}  // namespace heed
