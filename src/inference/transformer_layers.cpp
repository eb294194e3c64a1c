#include "inference/transformer_layers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "inference/transposed_keys.h"
#include "model/parameter_names_spec.h"

namespace heed {

namespace {

// Packs the layers of a Transformer.
class LayerPacker {
 public:
  explicit LayerPacker(const Packer& packer) : packer_(packer) {}

  LayerNormWeights norm(const std::string& name) const {
    const std::vector<float> gain = packer_.vector(names::weight(name)),
                             bias = packer_.vector(names::bias(name));
    return {AlignedFloats(gain.begin(), gain.end()), AlignedFloats(bias.begin(), bias.end())};
  }
  SelfAttention self_attention(const names::TransformerLayerNames& layer,
                               const StackShape& shape) const {
    const names::AttentionNames& own = layer.self_attention;
    return {{norm(layer.self_norm), shape.post_norm},
            packer_.linear({own.query, own.key, own.value},
                           1 / std::sqrt(static_cast<double>(shape.width / shape.heads))),
            packer_.linear({own.output})};
  }
  CrossAttention cross_attention(const names::TransformerLayerNames& layer,
                                 const TransformerShape& shape) const {
    const names::AttentionNames& own = layer.cross_attention;
    const double scale =
        1 / std::sqrt(static_cast<double>(shape.decoder.width / shape.cross_heads));
    return {{norm(layer.cross_norm), shape.decoder.post_norm},
            packer_.linear({own.query}, scale),
            packer_.linear({own.key, own.value}),
            packer_.linear({own.output})};
  }
  FeedForwardWeights feed_forward(const names::TransformerLayerNames& layer,
                                  const StackShape& shape) const {
    FeedForwardWeights result{{norm(layer.feed_forward_norm), shape.post_norm},
                              shape.activation,
                              packer_.linear({layer.inner}),
                              {},
                              packer_.linear({layer.outer})};
    if (is_gated(shape.activation)) result.gate = packer_.linear({layer.gate});
    return result;
  }

 private:
  const Packer& packer_;
};

// sin(p / 10000^(2i/W)) at even, cos at odd numbers (Vaswani et al. 2017, section 3.5), or first
// all of sin, then all of cos; kFairseq and kOpennmtTf as in nn/positions.h.
void sinusoid(int64_t position, int64_t width, SinusoidLayout layout, float* to) {
  if (layout == SinusoidLayout::kFairseq && width % 2 != 0) to[--width] = 0;
  const int64_t sines = (width + 1) / 2;
  const int64_t first = layout == SinusoidLayout::kFairseq     ? 2
                        : layout == SinusoidLayout::kOpennmtTf ? 1
                                                               : 0,
                period = first > 0 ? std::max<int64_t>(1, width - 2) : width;
  for (int64_t i = 0; i < width; ++i) {
    const double rate = std::exp(static_cast<double>(i / 2 * 2) *
                                 (-std::log(10000.0) / static_cast<double>(period)));
    const double angle = static_cast<double>(position + first) * rate;
    const int64_t at = layout == SinusoidLayout::kInterleaved ? i
                       : i % 2 == 0                           ? i / 2
                                                              : sines + i / 2;
    to[at] = static_cast<float>(i % 2 == 0 ? std::sin(angle) : std::cos(angle));
  }
}

// The position of each token in its sentence, which is tokens begins[i] to begins[i+1].
std::vector<int64_t> source_positions(const std::vector<int64_t>& begins) {
  std::vector<int64_t> positions;
  for (size_t i = 0; i + 1 < begins.size(); ++i) {
    for (int64_t token = begins[i]; token < begins[i + 1]; ++token)
      positions.push_back(token - begins[i]);
  }
  return positions;
}

InputLayer input_layer(const Packer& packer, const StackShape& shape, int64_t embedding_width,
                       const names::TransformerStackNames& stack) {
  InputLayer layer;
  layer.embedding_width = embedding_width;
  layer.width = shape.width;
  if (shape.scale_embedding)
    layer.scale = static_cast<float>(std::sqrt(static_cast<double>(embedding_width)));
  if (embedding_width != shape.width) layer.to_width = packer.linear({stack.to_width});
  layer.positions = shape.positions;
  layer.layout = shape.layout;
  if (shape.positions == PositionKind::kLearned) layer.table = packer.vector(stack.positions);
  if (shape.positions == PositionKind::kSinusoidal) {
    constexpr int64_t kReady = 512;  // later positions are computed on demand
    layer.table.resize(static_cast<size_t>(kReady * shape.width));
    for (int64_t p = 0; p < kReady; ++p)
      sinusoid(p, shape.width, shape.layout, layer.table.data() + p * shape.width);
  }
  return layer;
}

void gelu(float* x, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    x[i] *= 0.5F * (1 + std::erf(x[i] * static_cast<float>(1 / std::numbers::sqrt2)));
}

}  // namespace

void InputLayer::read(AlignedFloats& embedded, const std::vector<int64_t>& where,
                      AlignedFloats& to) const {
  const auto rows = std::ssize(where);
  if (scale != 1) std::ranges::for_each(embedded, [this](float& value) { value *= scale; });
  to.resize(static_cast<size_t>(rows * width));
  if (to_width.outputs() > 0) {
    to_width.product(embedded.data(), rows, to.data());
  } else {
    std::swap(embedded, to);
  }
  if (positions == PositionKind::kNone) return;
  const auto ready = std::ssize(table) / width;
  std::vector<float> behind(static_cast<size_t>(width));
  for (int64_t r = 0; r < rows; ++r) {
    const float* from = table.data() + std::min(where[r], ready - 1) * width;
    if (positions == PositionKind::kSinusoidal && where[r] >= ready) {
      sinusoid(where[r], width, layout, behind.data());
      from = behind.data();
    }
    for (int64_t i = 0; i < width; ++i) to[r * width + i] += from[i];
  }
}

TransformerLayers::TransformerLayers(const TransformerShape& wanted, const Packer& packer,
                                     const Kernels& kernels_used)
    : shape(wanted),
      set(kernels_used),
      rounds_memory(packer.precision() != Precision::kFloat),
      embeddings(shape.vocabulary, packer),
      source_input(shape.vocabulary, embeddings, packer),
      output(make_output(shape.vocabulary, embeddings, packer, set)) {
  const LayerPacker layers(packer);
  const std::string encoder_name = names::encoder(shape.vocabulary.source);
  const names::TransformerStackNames encoder_names(encoder_name), decoder_names(names::kDecoder);
  source = input_layer(packer, shape.encoder, shape.vocabulary.source_input(), encoder_names);
  target = input_layer(packer, shape.decoder, shape.vocabulary.target_input(), decoder_names);
  for (int64_t i = 0; i < shape.encoder.layers; ++i) {
    const names::TransformerLayerNames name(names::layer(encoder_name, i));
    encoder.push_back(
        {layers.self_attention(name, shape.encoder), layers.feed_forward(name, shape.encoder)});
  }
  for (int64_t i = 0; i < shape.decoder.layers; ++i) {
    const names::TransformerLayerNames name(names::layer(names::kDecoder, i));
    decoder.push_back({layers.self_attention(name, shape.decoder),
                       layers.cross_attention(name, shape),
                       layers.feed_forward(name, shape.decoder)});
  }
  if (shape.encoder.has_final_norm()) final_encoder_norm = layers.norm(encoder_names.final_norm);
  if (shape.decoder.has_final_norm()) final_decoder_norm = layers.norm(decoder_names.final_norm);
}

void TransformerLayers::norm(const LayerNormWeights& own, const float* x, int64_t rows,
                             float* y) const {
  set.layer_norm(x, rows, static_cast<int64_t>(own.gain.size()), own.gain.data(), own.bias.data(),
                 y);
}

void TransformerLayers::decoder_norm(AlignedFloats& x, int64_t rows) const {
  if (!final_decoder_norm.gain.empty()) norm(final_decoder_norm, x.data(), rows, x.data());
}

void TransformerLayers::feed(const FeedForwardWeights& layer, AlignedFloats& x, int64_t rows,
                             Workspace& room) const {
  around(layer.residual, x, rows, room, [&](const float* in, float* out) {
    const int64_t count = rows * layer.inner.outputs();
    room.inner.resize(static_cast<size_t>(count));
    layer.inner.product(in, rows, room.inner.data());
    switch (layer.activation) {
      case Activation::kRelu:
        set.relu(room.inner.data(), count);
        break;
      case Activation::kGelu:
        gelu(room.inner.data(), count);
        break;
      case Activation::kSilu:
        room.gate.assign(static_cast<size_t>(count), 1);
        set.silu_times(room.inner.data(), count, room.gate.data());
        layer.outer.product(room.gate.data(), rows, out);
        return;
      case Activation::kGated:
        room.gate.resize(static_cast<size_t>(count));
        layer.gate.product(in, rows, room.gate.data());
        set.silu_times(room.inner.data(), count, room.gate.data());
        layer.outer.product(room.gate.data(), rows, out);
        return;
      case Activation::kGatedGelu:
        room.gate.resize(static_cast<size_t>(count));
        layer.gate.product(in, rows, room.gate.data());
        gelu(room.inner.data(), count);
        std::ranges::transform(room.inner, room.gate, room.inner.begin(), std::multiplies<>());
        break;
    }
    layer.outer.product(room.inner.data(), rows, out);
  });
}

void TransformerLayers::attend_sentences(const SelfAttention& own,
                                         const std::vector<int64_t>& begins, const float* x,
                                         float* y, Workspace& room) const {
  const int64_t rows = begins.back(), width = shape.encoder.width, heads = shape.encoder.heads;
  room.projected.resize(static_cast<size_t>(rows * 3 * width));
  room.context.resize(static_cast<size_t>(rows * width));
  own.queries_keys_values.product(x, rows, room.projected.data());
  for (size_t i = 0; i + 1 < begins.size(); ++i) {
    const int64_t keys = begins[i + 1] - begins[i], wide = padded(keys);
    const float* projected = room.projected.data() + begins[i] * 3 * width;
    room.keys.resize(static_cast<size_t>(width * wide));
    room.scores.resize(static_cast<size_t>(kQueriesTogether * wide));
    transpose_keys(projected + width, keys, 3 * width, width, wide, room.keys.data());
    set.attend({.queries = projected,
                .query_count = keys,
                .query_stride = 3 * width,
                .keys = {room.keys.data()},
                .values = {projected + 2 * width},
                .key_count = keys,
                .padded = wide,
                .value_stride = 3 * width,
                .heads = heads,
                .width = width / heads,
                .value_width = width / heads,
                .scores = room.scores.data(),
                .context = room.context.data() + begins[i] * width,
                .context_stride = width});
  }
  own.output.product(room.context.data(), rows, y);
}

void TransformerLayers::encode(const std::vector<const Example*>& sentences,
                               const SourceTokens& tokens, AlignedFloats& to,
                               Workspace& room) const {
  const std::vector<int64_t>& begins = tokens.begins;
  source_input.embed(sentences, tokens, room.projected);
  source.read(room.projected, source_positions(begins), to);
  const auto rows = std::ssize(tokens.tokens);
  for (const EncoderLayerWeights& layer : encoder) {
    around(layer.self.residual, to, rows, room,
           [&](const float* x, float* y) { attend_sentences(layer.self, begins, x, y, room); });
    feed(layer.feed_forward, to, rows, room);
  }
  if (!final_encoder_norm.gain.empty()) norm(final_encoder_norm, to.data(), rows, to.data());
}

}  // namespace heed
