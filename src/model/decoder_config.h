// Settings of a decoder, without tensors (decoder.h).
#pragma once

#include <map>
#include <optional>
#include <string>

#include "model/encoder_config.h"

namespace heed {

struct DecoderDims {
  int64_t input = 0;  // width of the embeddings
  std::map<std::string, SourceDims> sources;
  int64_t tags = 0;  // AttentionDims::tags
};

// Attention over the source in the last decoder layer that has weights, or in a chosen layer. Used
// for alignments, plots and outputs that copy.
struct SourceAttention {
  int64_t heads = 0;         // of its weights, or the chosen ones; 0: no weights
  int64_t context = 0;       // width of the context vector; 0: no layer reads the source
  std::string source;        // the source that the weights are over
  bool has_gradient = true;  // whether a loss of its weights trains it
};

// Dimensions of the attention over the sources in a decoder layer with queries of width `query`.
// block: AttentionDims::block.
AttentionDims cross_dims(const DecoderDims& dims, int64_t query, int64_t block);
SourceAttention source_attention_of(const AttentionConfig& attention, const AttentionDims& dims);
// Calls AttentionConfig::check; with several sources also checks that the attention supports them.
void check_cross(const AttentionConfig& attention, const AttentionDims& dims, Problems& problems);

struct DecoderConfig : KindSettings {
  // Width of Step::hidden.
  virtual int64_t hidden_width(const DecoderDims& dims) const = 0;
  // Width of Step::state; 0: undefined.
  virtual int64_t state_width() const { return 0; }
  // True if Step::hidden is the same for all tokens of a sentence.
  virtual bool repeats() const { return false; }
  virtual SourceAttention source_attention(const DecoderDims& dims) const = 0;
  // Number of attentions that need scaled encoder gradients (Encoder::read_by).
  virtual int64_t attentions_that_scale() const { return 0; }
  // Number of Transformer layers that attend to a source; DeepNorm of the encoder needs it.
  virtual int64_t reading_layers() const { return 0; }
  // True if its layers can be recomputed in the backward pass (recomputed_layer.h).
  virtual bool can_recompute() const { return false; }
  // Initial norm of the rows of the output layer under weight norm; none: no weight norm.
  virtual std::optional<double> output_norm() const { return std::nullopt; }
  virtual void check(const DecoderDims& dims, Problems& problems) const {}
  // Reports settings by which a target token depends on source tokens that its attention over the
  // source has not read (wait_k).
  virtual void check_unread(Problems& problems) const;
};
// For check_unread(): reports an attention over the source that reads all of it.
void check_unread(const AttentionConfig& attention, Problems& problems);

const Registry<DecoderConfig>& decoders();

}  // namespace heed
