// Encoders of the engines, for any decoder.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "inference/encoder_shape.h"
#include "inference/packer.h"
#include "inference/sentences.h"
#include "kernels/aligned.h"

namespace heed {

// Last states of an encoder layer for each sentence.
struct LastState {
  AlignedFloats hidden, cell;  // [N,W]; cell: of an LSTM, else empty
};

// Sources after the encoder.
// Sentence i is tokens begins[i] to begins[i+1].
struct Encoded {
  std::vector<LastState>
      last;                // of each layer; without a cell the mean of the states, as one layer
  AlignedFloats states;    // [tokens,W]
  AlignedFloats values{};  // of attention over them [tokens,W]; empty: the states
  std::vector<int64_t> begins{};
  const AlignedFloats& read() const { return values.empty() ? states : values; }
};

class SourceEncoder {
 public:
  virtual ~SourceEncoder() = default;
  // `begins` is empty if the states are those of the tokens.  embedded [tokens,E]
  virtual Encoded encode(const SourceTokens& tokens, AlignedFloats embedded) const = 0;
};

// The sum of the states [tokens,W] of each sentence, and the mean as a last state; 0 of a sentence
// without tokens.  [N,W]
AlignedFloats sum_of_states(const std::vector<int64_t>& begins, const AlignedFloats& x,
                            int64_t width, const Kernels& set);
LastState mean_state(const std::vector<int64_t>& begins, const AlignedFloats& x, int64_t width,
                     const Kernels& set);

std::unique_ptr<const SourceEncoder> make_encoder(const EncoderShape& shape,
                                                  const VocabularyShape& vocabulary, size_t source,
                                                  const Packer& packer, const Kernels& set);

// Error(kUsage) if a layer is too wide for products in 8 bits. input: width of the embedded tokens
void check_widths(const StackShape& shape, int64_t input, Precision precision);
void check_widths(const ConvolutionStackShape& shape, int64_t input, Precision precision);
void check_widths(const EncoderShape& shape, int64_t input, Precision precision);

}  // namespace heed
