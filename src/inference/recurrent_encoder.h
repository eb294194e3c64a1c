// An encoder of recurrent cells.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inference/recurrent_cell.h"
#include "inference/source_encoder.h"

namespace heed {

struct EncoderLevel {
  CellLayer forward, backward;  // backward.input is empty in a unidirectional encoder
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

class RecurrentEncoder final : public SourceEncoder {
 public:
  // name: of the stack of its layers
  RecurrentEncoder(const RecurrentEncoderShape& shape, const std::string& name,
                   const Packer& packer, const Kernels& set);
  Encoded encode(const SourceTokens& tokens, AlignedFloats embedded) const override;

 private:
  // Buffers for intermediate results.
  struct Workspace {
    AlignedFloats read, projected, gates, outputs, hidden, cell;
  };
  void run(const CellLayer& layer, const TimeOrder& order, bool backward, const AlignedFloats& x,
           int64_t column, LastState& last, Workspace& room) const;

  RecurrentEncoderShape shape_;
  const Kernels& set_;
  std::vector<EncoderLevel> levels_;
};

}  // namespace heed
