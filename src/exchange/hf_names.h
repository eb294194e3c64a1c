// Names of Transformer parameters in heed and in the classes of transformers (Hugging Face) that
// derive from BART: MarianMTModel, PegasusForConditionalGeneration, M2M100ForConditionalGeneration,
// MBartForConditionalGeneration.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inference/transformer_shape.h"
#include "nn/tensor.h"

namespace heed {

// Dimension of a parameter that belongs to the residual stream, whose width is the model's.
enum class Stream { kReads, kWrites, kVector };

struct NamePair {
  std::string own, other;
  Stream stream;         // of weights [O,I]: kReads the last, kWrites the first
  bool is_bias = false;  // bias of a layer with kReads: outside the stream
};

// All parameters except embeddings, learned positions and the output layer.
std::vector<NamePair> hf_names(const TransformerShape& shape);

// Permutation of the dimensions of the residual stream, from the order `interleaved` to the order
// `halves` (nn/positions.h). A Transformer that adds positions in one order computes the same as
// one with the other order if all layers that read or write its stream are permuted.  [W]
Tensor halves_from_interleaved(int64_t width);
// Permutes the stream dimension of a parameter.
Tensor in_stream_order(const Tensor& parameter, const NamePair& name, const Tensor& order);

}  // namespace heed
