// Parameters of a Transformer by their names here and in the classes of transformers (Hugging Face)
// that derive from BART: MarianMTModel, PegasusForConditionalGeneration,
// M2M100ForConditionalGeneration.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inference/transformer_shape.h"
#include "nn/tensor.h"

namespace heed {

// Which dimension of a parameter belongs to the residual stream, whose width is the model's.
enum class Stream { kReads, kWrites, kVector };

struct NamePair {
  std::string own, other;
  Stream stream;         // of weights [O,I]: kReads the last, kWrites the first
  bool is_bias = false;  // of a layer with kReads, it is outside the stream
};

// All but embeddings and the output layer.
std::vector<NamePair> hf_names(const TransformerShape& shape);

// The numbers of the residual stream in the order of `halves`, from that of `interleaved`
// (nn/positions.h): a Transformer whose positions are added in the one order computes what another
// does in the other order, if all that reads and writes its stream is put in order.  [W]
Tensor halves_from_interleaved(int64_t width);
// The parameter with its stream in that order.
Tensor in_stream_order(const Tensor& parameter, const NamePair& name, const Tensor& order);

}  // namespace heed
