// Names of the parameters of a model, as model.safetensors has them, for code that does not build
// the modules: the engines of inference/, imports and exports. Stacks and layers of model/ take the
// names of their submodules from here. Other modules name their parameters themselves; the tests of
// the engines compare both (tests/network/engine_comparison.h).
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace heed::names {

// Parameters of a linear layer or of a layer normalization.
inline std::string weight(const std::string& layer) { return layer + ".weight"; }
inline std::string bias(const std::string& layer) { return layer + ".bias"; }
// In place of the weight, of a layer with weight norm (nn/normed_weight.h).
inline std::string direction(const std::string& layer) { return layer + ".v"; }
inline std::string gain(const std::string& layer) { return layer + ".gain"; }

inline constexpr const char *kTargetEmbedding = "target.embedding", *kDecoder = "decoder";
inline std::string source_embedding(const std::string& source) {
  return fmt::format("source_{}.embedding", source);
}
inline constexpr const char *kSourceTag = "source_tag.embedding",
                            *kTargetTag = "target_tag.embedding";
inline std::string factor_embedding(const std::string& factor) {
  return fmt::format("factor_{}.embedding", factor);
}
inline std::string encoder(const std::string& source) { return "encoder_" + source; }
// A layer: its name in its stack, and its whole name. stack: an encoder, or the decoder.
inline std::string layer(int64_t i) { return fmt::format("layer_{}", i); }
inline std::string layer(const std::string& stack, int64_t i) { return stack + "." + layer(i); }

// The output layer over the vocabulary. kToEmbedding projects to the width of a tied embedding.
inline constexpr const char *kOutputLayer = "output", *kToEmbedding = "output.to_embedding";
// Layers of the outputs pointer_generator, copynet, pointer and hard_monotonic.
inline constexpr const char *kGate = "output.gate", *kCopy = "output.copy";
inline constexpr const char *kPointerSource = "output.source", *kPointerState = "output.state",
                            *kPointerScore = "output.score", *kPointerEnd = "output.end";
inline constexpr const char *kAlignedSource = "output.source", *kAlignedState = "output.state",
                            *kAlignedKey = "output.key", *kJumpOfState = "output.jump_of_state",
                            *kJumpOfSource = "output.jump_of_source";

// Attention with linear layers; its name is that of the module.
struct AttentionNames {
  explicit AttentionNames(const std::string& name)
      : query(name + ".score.query"),
        key(name + ".score.key"),
        value(name + ".read.value"),
        output(name + ".read.output"),
        v(name + ".score.v"),
        coverage(name + ".score.coverage"),
        key_table(name + ".score.table"),
        value_table(name + ".read.table"),
        query_norm(name + ".score.query_norm"),
        key_norm(name + ".score.key_norm"),
        gain(name + ".score.gain"),
        query_gain(name + ".score.query_gain"),
        key_gain(name + ".score.key_gain"),
        name_(name) {}
  std::string query, key, value, output;   // linear layers
  std::string v, coverage;                 // additive score; with coverage
  std::string key_table, value_table;      // relative positions (Shaw 2018)
  std::string query_norm, key_norm, gain;  // of query_key_norm
  std::string query_gain, key_gain;        // additive score with layer norm
  std::string term_bias(int64_t term) const { return fmt::format("{}.term_{}.bias", name_, term); }

 private:
  std::string name_;
};

// Self-attention of a decoder by `ssru` or `average`; its name is that of the module.
struct LightAttentionNames {
  explicit LightAttentionNames(const std::string& name)
      : forget(name + ".forget"),
        input(name + ".input"),
        gates(name + ".gates"),
        inner(name + ".feed_forward.inner"),
        outer(name + ".feed_forward.outer") {}
  std::string forget, input;        // ssru; input has no bias
  std::string gates, inner, outer;  // average
};

// Encoder or decoder of a Transformer, without its layers.
struct TransformerStackNames {
  static constexpr const char *kInput = "input", *kToWidth = "to_width", *kPositions = "positions",
                              *kNorm = "norm", *kFinalNorm = "final_norm";
  explicit TransformerStackNames(const std::string& name)
      : to_width(fmt::format("{}.{}.{}", name, kInput, kToWidth)),
        positions(fmt::format("{}.{}.{}.table", name, kInput, kPositions)),
        embedding_norm(fmt::format("{}.{}.{}", name, kInput, kNorm)),
        final_norm(fmt::format("{}.{}", name, kFinalNorm)) {}
  std::string to_width, positions, embedding_norm, final_norm;
};

// Layer of a Transformer; its name is layer(stack, i). An encoder has no cross-attention.
struct TransformerLayerNames {
  static constexpr const char *kSelfAttention = "self_attention", *kCrossAttention = "attention",
                              *kFeedForward = "feed_forward", *kSelfResidual = "self_residual",
                              *kCrossResidual = "residual",
                              *kFeedForwardResidual = "feed_forward_residual";
  explicit TransformerLayerNames(const std::string& name)
      : self_attention(fmt::format("{}.{}", name, kSelfAttention)),
        light_attention(fmt::format("{}.{}", name, kSelfAttention)),
        cross_attention(fmt::format("{}.{}", name, kCrossAttention)),
        self_norm(fmt::format("{}.{}.norm", name, kSelfResidual)),
        cross_norm(fmt::format("{}.{}.norm", name, kCrossResidual)),
        feed_forward_norm(fmt::format("{}.{}.norm", name, kFeedForwardResidual)),
        self_omega(fmt::format("{}.{}.omega", name, kSelfResidual)),
        cross_omega(fmt::format("{}.{}.omega", name, kCrossResidual)),
        feed_forward_omega(fmt::format("{}.{}.omega", name, kFeedForwardResidual)),
        inner(fmt::format("{}.{}.inner", name, kFeedForward)),
        gate(fmt::format("{}.{}.gate", name, kFeedForward)),
        outer(fmt::format("{}.{}.outer", name, kFeedForward)) {}
  AttentionNames self_attention;
  LightAttentionNames light_attention;  // the same module
  AttentionNames cross_attention;
  std::string self_norm, cross_norm, feed_forward_norm;
  std::string self_omega, cross_omega, feed_forward_omega;  // norm: admin
  std::string inner, gate, outer;
};

// Encoder or decoder of a convolutional model, without its layers. to_embedding: of an encoder
struct ConvolutionStackNames {
  explicit ConvolutionStackNames(const std::string& name)
      : positions(name + ".input.positions.table"),
        to_width(name + ".to_width"),
        to_embedding(name + ".to_embedding") {}
  std::string positions, to_width, to_embedding;
};

// Layer of a convolutional decoder; its name is layer(kDecoder, i). A layer of an encoder is its
// convolution.
struct ConvolutionLayerNames {
  explicit ConvolutionLayerNames(const std::string& name)
      : convolution(name + ".convolution"),
        to_query(name + ".to_query"),
        attention(name + ".attention"),
        from_context(name + ".from_context") {}
  std::string convolution, to_query, attention, from_context;
};

// Parts of a hierarchical encoder: its encoders, and what the names of two layers of attention begin with.
inline std::string words(const std::string& encoder) { return encoder + ".words"; }
inline std::string sentences(const std::string& encoder) { return encoder + ".sentences"; }
inline std::string over_words(const std::string& encoder) { return encoder + "."; }
inline std::string over_sentences(const std::string& encoder) { return encoder + ".sentence_"; }

// Layer of a recurrent decoder, or one direction of a layer of a recurrent encoder.
struct CellNames {
  explicit CellNames(const std::string& name)
      : weight_input(name + ".weight_input"),
        weight_hidden(name + ".weight_hidden"),
        bias_input(name + ".bias_input"),
        bias_hidden(name + ".bias_hidden"),
        norm_input(name + ".norm_input"),
        norm_hidden(name + ".norm_hidden") {}
  std::string weight_input, weight_hidden, bias_input, bias_hidden;
  std::string norm_input, norm_hidden;  // gains of layer norm
};
inline std::string forward_layer(int64_t i) { return layer(i) + "_forward"; }
inline std::string backward_layer(int64_t i) { return layer(i) + "_backward"; }
inline std::string forward_layer(const std::string& stack, int64_t i) {
  return stack + "." + forward_layer(i);
}
inline std::string backward_layer(const std::string& stack, int64_t i) {
  return stack + "." + backward_layer(i);
}

// Attention, read-out layer, bridges and merged input of a recurrent decoder. A bridge makes the first state: one
// for hidden and cell states of all layers, or one for each.
inline constexpr const char *kDecoderAttention = "decoder.attention", *kReadOut = "decoder.output",
                            *kPastAttention = "decoder.past.attention", *kBridge = "decoder.bridge",
                            *kMerge = "decoder.merge";
// Gains of layer norm in Marian's form: of the one bridge, and of the parts of the read-out layer, state,
// context vector and token.
inline constexpr const char* kBridgeNorm = "decoder.bridge_norm";
inline std::string read_out_norm(size_t part) {
  constexpr const char* kParts[] = {"state", "context", "token"};
  return fmt::format("{}_norm_{}", kReadOut, kParts[part]);
}
// Joiners of last states, and co-attention with its rectified layers.
inline std::string joined_hidden(int64_t layer) { return fmt::format("join.hidden_{}", layer); }
inline std::string joined_gates(int64_t layer) { return fmt::format("join.gates_{}", layer); }
inline std::string joined_forget(int64_t layer, int64_t source) {
  return fmt::format("join.forget_{}_{}", layer, source);
}
inline constexpr const char *kCoAttention = "join.attention", *kCoAttend = "join.attend",
                            *kCoCompare = "join.compare", *kCoSummarize = "join.summarize";
inline std::string rectified(const std::string& name, int64_t i) {
  return i == 0 ? name : fmt::format("{}_{}", name, i);
}

// Attention of a recurrent decoder over one of several sources, and the layers of their hierarchical
// combination.
inline constexpr const char *kOneSourceAttention = "decoder.attention.attention",
                            *kSourcesQuery = "decoder.attention.query",
                            *kSourcesEnergy = "decoder.attention.energy";
inline std::string source_attention(const std::string& source) {
  return fmt::format("{}.source_{}", kDecoderAttention, source);
}
inline std::string source_keys(const std::string& source) {
  return fmt::format("{}.keys_{}", kDecoderAttention, source);
}
inline std::string source_values(const std::string& source) {
  return fmt::format("{}.values_{}", kDecoderAttention, source);
}

inline std::string bridge(int64_t part) { return fmt::format("{}_{}", kBridge, part); }

}  // namespace heed::names
