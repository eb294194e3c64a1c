// Parameters and layers of a Transformer, over contiguous rows [rows,W].
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "inference/outputs/output.h"
#include "inference/source_input.h"
#include "inference/transformer_shape.h"
#include "inference/vocabulary.h"

namespace heed {

// Buffers for intermediate results.
struct Workspace {
  AlignedFloats normed, result, projected, queries, context, inner, gate, scores, keys;
};

struct LayerNormWeights {
  AlignedFloats gain, bias;  // [W]
};

// pre: x + f(norm(x)); post: norm(x + f(x)).
struct ResidualStep {
  LayerNormWeights norm;
  bool post = false;
};

struct SelfAttention {
  ResidualStep residual;
  PackedMatrix queries_keys_values;  // [3·W,W], queries times D^-1/2
  PackedMatrix output;               // [W,W]
};

struct CrossAttention {
  ResidualStep residual;
  PackedMatrix queries;      // [W,W], times D^-1/2
  PackedMatrix keys_values;  // [2·W,W of the encoder]
  PackedMatrix output;       // [W,W]
};

struct FeedForwardWeights {
  ResidualStep residual;
  Activation activation = Activation::kRelu;
  PackedMatrix inner, gate, outer;
};

struct EncoderLayerWeights {
  SelfAttention self;
  FeedForwardWeights feed_forward;
};

struct DecoderLayerWeights {
  SelfAttention self;
  CrossAttention cross;
  FeedForwardWeights feed_forward;
};

// Input of the first layer: embeddings times √E, projected to W, plus position encodings.
struct InputLayer {
  // embedded [tokens,E], overwritten; to: [tokens,W]
  void read(AlignedFloats& embedded, const std::vector<int64_t>& positions,
            AlignedFloats& to) const;

  int64_t embedding_width = 0, width = 0;  // E, W
  float scale = 1;
  PackedMatrix to_width;  // no outputs if E = W
  PositionKind positions = PositionKind::kNone;
  SinusoidLayout layout = SinusoidLayout::kInterleaved;
  std::vector<float> table;  // [P,W] of positions
};

struct TransformerLayers {
  TransformerLayers(const TransformerShape& shape, const Packer& packer, const Kernels& set);

  // Sentence i is tokens begins[i] to begins[i+1].  to: [tokens,W of the encoder]
  void encode(const std::vector<const Example*>& sentences, const SourceTokens& tokens,
              AlignedFloats& to, Workspace& room) const;
  // Applies a sublayer with its residual connection to x [rows,W], in place. inner(x, y): y = f(x)
  template <class Inner>
  void around(const ResidualStep& step, AlignedFloats& x, int64_t rows, Workspace& room,
              const Inner& inner) const {
    const auto width = static_cast<int64_t>(step.norm.gain.size());
    room.result.resize(static_cast<size_t>(rows * width));
    if (step.post) {
      inner(x.data(), room.result.data());
      set.add(room.result.data(), rows * width, x.data());
      norm(step.norm, x.data(), rows, x.data());
      return;
    }
    room.normed.resize(static_cast<size_t>(rows * width));
    norm(step.norm, x.data(), rows, room.normed.data());
    inner(room.normed.data(), room.result.data());
    set.add(room.result.data(), rows * width, x.data());
  }
  void feed(const FeedForwardWeights& layer, AlignedFloats& x, int64_t rows, Workspace& room) const;
  // Final layer norm of a pre-norm decoder, in place.
  void decoder_norm(AlignedFloats& x, int64_t rows) const;
  // Number of keys, padded to whole vectors.
  int64_t padded(int64_t keys) const { return filled_up(keys, set.lanes); }

  TransformerShape shape;
  const Kernels& set;
  // Keeps keys and values of source and target in bfloat16, as factors of products are: those of a
  // batch do not fit in any cache, and attention waits for the memory.
  bool rounds_memory;
  Embeddings embeddings;
  SourceInput source_input;
  InputLayer source, target;
  std::vector<EncoderLayerWeights> encoder;
  std::vector<DecoderLayerWeights> decoder;
  LayerNormWeights final_encoder_norm, final_decoder_norm;  // empty with post-norm
  std::unique_ptr<const OutputWeights> output;

 private:
  void norm(const LayerNormWeights& own, const float* x, int64_t rows, float* y) const;
  void attend_sentences(const SelfAttention& own, const std::vector<int64_t>& begins,
                        const float* x, float* y, Workspace& room) const;
};

}  // namespace heed
