// Encoders of the engines, for any decoder.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "inference/encoder_shape.h"
#include "inference/packer.h"
#include "kernels/aligned.h"

namespace heed {

// Last states of an encoder layer for each sentence.
struct LastState {
  AlignedFloats hidden, cell;  // [N,W]; cell: of an LSTM, else empty
};

class SourceEncoder {
 public:
  virtual ~SourceEncoder() = default;
  // Sentence i is tokens begins[i] to begins[i+1].  x [tokens,E], replaced by the states [tokens,W].
  // Returns the last states of each layer; those of a Transformer are the mean of its states.
  virtual std::vector<LastState> encode(const std::vector<int64_t>& begins,
                                        AlignedFloats& x) const = 0;
};

std::unique_ptr<const SourceEncoder> make_encoder(const EncoderShape& shape,
                                                  const VocabularyShape& vocabulary,
                                                  const Packer& packer, const Kernels& set);

// Error(kUsage) if a layer is too wide for products in 8 bits. input: width of the embedded tokens
void check_widths(const StackShape& shape, int64_t input, Precision precision);
void check_widths(const EncoderShape& shape, int64_t input, Precision precision);

}  // namespace heed
