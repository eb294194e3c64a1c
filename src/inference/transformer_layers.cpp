#include "inference/transformer_layers.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"

namespace heed {

namespace {

// Packs parameters by name.
class Packer {
 public:
  Packer(const Weights& weights, Precision precision, const Kernels& set)
      : weights_(weights), precision_(precision), set_(set) {}

  std::vector<float> vector(const std::string& name) const {
    Array array = read(name);
    HEED_CHECK(!array.shape.empty(), "no parameter {}", name);
    return std::move(array.values);
  }
  PackedMatrix packed(const Array& array, const std::vector<float>& bias) const {
    return {set_, precision_, array.values.data(), array.shape[0], array.shape[1], bias};
  }
  PackedMatrix matrix(const std::string& name, const std::vector<float>& bias) const {
    const Array array = read(name);
    HEED_CHECK(array.shape.size() == 2, "no parameter {}", name);
    return packed(array, bias);
  }

  // Linear layers of the same input as one matrix; the first is multiplied by `scale`.
  PackedMatrix linear(const std::vector<std::string>& names, double scale = 1) const {
    Array joint{{0, 0}, {}};
    std::vector<float> bias;
    for (size_t i = 0; i < names.size(); ++i) {
      const Array array = read(names[i] + ".weight");
      HEED_CHECK(array.shape.size() == 2, "no parameter {}.weight", names[i]);
      const auto factor = static_cast<float>(i == 0 ? scale : 1);
      for (const float value : array.values) joint.values.push_back(factor * value);
      joint.shape = {joint.shape[0] + array.shape[0], array.shape[1]};
      const Array own = read(names[i] + ".bias");
      for (const float value : own.values) bias.push_back(factor * value);
    }
    return packed(joint, bias);
  }
  LayerNorm norm(const std::string& name) const {
    const std::vector<float> gain = vector(name + ".weight"), bias = vector(name + ".bias");
    return {AlignedFloats(gain.begin(), gain.end()), AlignedFloats(bias.begin(), bias.end())};
  }
  ResidualStep residual(const std::string& name, bool post) const {
    return {norm(name + ".norm"), post};
  }

  SelfAttention self_attention(const std::string& layer, const StackShape& shape) const {
    const std::string own = layer + ".self_attention.";
    return {residual(layer + ".self_residual", shape.post_norm),
            linear({own + "score.query", own + "score.key", own + "read.value"},
                   1 / std::sqrt(static_cast<double>(shape.width / shape.heads))),
            linear({own + "read.output"})};
  }
  CrossAttention cross_attention(const std::string& layer, const TransformerShape& shape) const {
    const std::string own = layer + ".attention.";
    const double scale =
        1 / std::sqrt(static_cast<double>(shape.decoder.width / shape.cross_heads));
    return {residual(layer + ".residual", shape.decoder.post_norm),
            linear({own + "score.query"}, scale), linear({own + "score.key", own + "read.value"}),
            linear({own + "read.output"})};
  }
  FeedForward feed_forward(const std::string& layer, const StackShape& shape) const {
    const std::string own = layer + ".feed_forward.";
    FeedForward result{residual(layer + ".feed_forward_residual", shape.post_norm),
                       shape.activation,
                       linear({own + "inner"}),
                       {},
                       linear({own + "outer"})};
    if (shape.activation == StackShape::Activation::kGated) result.gate = linear({own + "gate"});
    return result;
  }

 private:
  // NaN in a parameter would be lost in 8 bits.
  Array read(const std::string& name) const {
    Array array = weights_(name);
    if (!std::ranges::all_of(array.values, [](float v) { return std::isfinite(v); })) {
      throw_error(ErrorKind::kModel,
                  "{} holds values that are not finite numbers: the model is damaged or its "
                  "training diverged; use an earlier checkpoint",
                  name);
    }
    return array;
  }

  const Weights& weights_;
  Precision precision_;
  const Kernels& set_;
};

// sin(p / 10000^(2i/W)) at even, cos at odd numbers (Vaswani et al. 2017, section 3.5).
void sinusoid(int64_t position, int64_t width, float* to) {
  for (int64_t i = 0; i < width; ++i) {
    const double rate = std::exp(static_cast<double>(i / 2 * 2) *
                                 (-std::log(10000.0) / static_cast<double>(width)));
    const double angle = static_cast<double>(position) * rate;
    to[i] = static_cast<float>(i % 2 == 0 ? std::sin(angle) : std::cos(angle));
  }
}

InputLayer input_layer(const Packer& packer, const StackShape& shape, int64_t embedding_width,
                       const std::string& name) {
  InputLayer layer;
  layer.embedding_width = embedding_width;
  layer.width = shape.width;
  if (shape.scale_embedding)
    layer.scale = static_cast<float>(std::sqrt(static_cast<double>(embedding_width)));
  if (embedding_width != shape.width) layer.to_width = packer.linear({name + ".to_width"});
  layer.positions = shape.positions;
  if (shape.positions == StackShape::Positions::kLearned)
    layer.table = packer.vector(name + ".positions.table");
  if (shape.positions == StackShape::Positions::kSinusoidal) {
    constexpr int64_t kReady = 512;  // later positions are computed on demand
    layer.table.resize(static_cast<size_t>(kReady * shape.width));
    for (int64_t p = 0; p < kReady; ++p)
      sinusoid(p, shape.width, layer.table.data() + p * shape.width);
  }
  return layer;
}

void gelu(float* x, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    x[i] *= 0.5F * (1 + std::erf(x[i] * static_cast<float>(1 / std::numbers::sqrt2)));
}

}  // namespace

void InputLayer::embed(const std::vector<int32_t>& tokens, const std::vector<int64_t>& where,
                       AlignedFloats& to, Workspace& room) const {
  const auto rows = std::ssize(tokens);
  const bool projects = to_width.outputs() > 0;
  AlignedFloats& embedded = projects ? room.projected : to;
  embedded.resize(static_cast<size_t>(rows * embedding_width));
  for (int64_t r = 0; r < rows; ++r) {
    const float* from = embedding->data() + tokens[r] * embedding_width;
    for (int64_t i = 0; i < embedding_width; ++i)
      embedded[r * embedding_width + i] = from[i] * scale;
  }
  if (projects) {
    to.resize(static_cast<size_t>(rows * width));
    to_width.product(embedded.data(), rows, to.data());
  }
  if (positions == StackShape::Positions::kNone) return;
  const auto ready = std::ssize(table) / width;
  std::vector<float> behind(static_cast<size_t>(width));
  for (int64_t r = 0; r < rows; ++r) {
    const float* from = table.data() + std::min(where[r], ready - 1) * width;
    if (positions == StackShape::Positions::kSinusoidal && where[r] >= ready) {
      sinusoid(where[r], width, behind.data());
      from = behind.data();
    }
    for (int64_t i = 0; i < width; ++i) to[r * width + i] += from[i];
  }
}

TransformerLayers::TransformerLayers(const TransformerShape& wanted, const Weights& weights,
                                     Precision precision, const Kernels& kernels_used)
    : shape(wanted), set(kernels_used) {
  const Packer packer(weights, precision, set);
  const std::string encoder_name = "encoder_" + shape.source, decoder_name = "decoder";
  source = input_layer(packer, shape.encoder, shape.embedding, encoder_name + ".input");
  target = input_layer(packer, shape.decoder, shape.embedding, decoder_name + ".input");
  target.embedding = std::make_shared<const std::vector<float>>(packer.vector("target.embedding"));
  source.embedding = shape.source_is_tied
                         ? target.embedding
                         : std::make_shared<const std::vector<float>>(
                               packer.vector("source_" + shape.source + ".embedding"));
  const auto layer_name = [](const std::string& stack, int64_t layer) {
    return fmt::format("{}.layer_{}", stack, layer);
  };
  for (int64_t i = 0; i < shape.encoder.layers; ++i) {
    const std::string name = layer_name(encoder_name, i);
    encoder.push_back(
        {packer.self_attention(name, shape.encoder), packer.feed_forward(name, shape.encoder)});
  }
  for (int64_t i = 0; i < shape.decoder.layers; ++i) {
    const std::string name = layer_name(decoder_name, i);
    decoder.push_back({packer.self_attention(name, shape.decoder),
                       packer.cross_attention(name, shape),
                       packer.feed_forward(name, shape.decoder)});
  }
  if (!shape.encoder.post_norm) final_encoder_norm = packer.norm(encoder_name + ".final_norm");
  if (!shape.decoder.post_norm) final_decoder_norm = packer.norm(decoder_name + ".final_norm");
  std::vector<float> bias;
  if (shape.output_bias) bias = packer.vector("output.bias");
  if (shape.output_is_tied && shape.decoder.width != shape.embedding)
    to_embedding = packer.linear({"output.to_embedding"});
  output = shape.output_is_tied
               ? packer.packed({{std::ssize(*target.embedding) / shape.embedding, shape.embedding},
                                *target.embedding},
                               bias)
               : packer.matrix("output.weight", bias);
}

void TransformerLayers::norm(const LayerNorm& own, const float* x, int64_t rows, float* y) const {
  set.layer_norm(x, rows, static_cast<int64_t>(own.gain.size()), own.gain.data(), own.bias.data(),
                 y);
}

void TransformerLayers::decoder_norm(AlignedFloats& x, int64_t rows) const {
  if (!final_decoder_norm.gain.empty()) norm(final_decoder_norm, x.data(), rows, x.data());
}

void TransformerLayers::feed(const FeedForward& layer, AlignedFloats& x, int64_t rows,
                             Workspace& room) const {
  around(layer.residual, x, rows, room, [&](const float* in, float* out) {
    const int64_t count = rows * layer.inner.outputs();
    room.inner.resize(static_cast<size_t>(count));
    layer.inner.product(in, rows, room.inner.data());
    switch (layer.activation) {
      case StackShape::Activation::kRelu:
        set.relu(room.inner.data(), count);
        break;
      case StackShape::Activation::kGelu:
        gelu(room.inner.data(), count);
        break;
      case StackShape::Activation::kGated:
        room.gate.resize(static_cast<size_t>(count));
        layer.gate.product(in, rows, room.gate.data());
        set.silu_times(room.inner.data(), count, room.gate.data());
        layer.outer.product(room.gate.data(), rows, out);
        return;
    }
    layer.outer.product(room.inner.data(), rows, out);
  });
}

void transpose_keys(const float* keys, int64_t count, int64_t stride, int64_t width, int64_t padded,
                    float* to) {
  for (int64_t d = 0; d < width; ++d) {
    for (int64_t s = 0; s < count; ++s) to[d * padded + s] = keys[s * stride + d];
    std::fill(to + d * padded + count, to + (d + 1) * padded, 0.0F);
  }
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
    room.keys.resize(std::max<size_t>(room.keys.size(), width * wide));
    room.scores.resize(std::max<size_t>(room.scores.size(), wide));
    transpose_keys(projected + width, keys, 3 * width, width, wide, room.keys.data());
    set.attend({.queries = projected,
                .query_count = keys,
                .query_stride = 3 * width,
                .keys = room.keys.data(),
                .values = projected + 2 * width,
                .key_count = keys,
                .padded = wide,
                .value_stride = 3 * width,
                .heads = heads,
                .width = width / heads,
                .scores = room.scores.data(),
                .context = room.context.data() + begins[i] * width,
                .context_stride = width});
  }
  own.output.product(room.context.data(), rows, y);
}

void TransformerLayers::encode(const std::vector<int32_t>& tokens,
                               const std::vector<int64_t>& positions,
                               const std::vector<int64_t>& begins, AlignedFloats& to,
                               Workspace& room) const {
  source.embed(tokens, positions, to, room);
  const auto rows = std::ssize(tokens);
  for (const EncoderLayer& layer : encoder) {
    around(layer.self.residual, to, rows, room,
           [&](const float* x, float* y) { attend_sentences(layer.self, begins, x, y, room); });
    feed(layer.feed_forward, to, rows, room);
  }
  if (!final_encoder_norm.gain.empty()) norm(final_encoder_norm, to.data(), rows, to.data());
}

void TransformerLayers::project(const float* hidden, int64_t rows, AlignedFloats& logits,
                                Workspace& room) const {
  const float* x = hidden;
  if (to_embedding.outputs() > 0) {
    room.projected.resize(static_cast<size_t>(rows * to_embedding.outputs()));
    to_embedding.product(hidden, rows, room.projected.data());
    x = room.projected.data();
  }
  output.product(x, rows, logits.data());
}

}  // namespace heed
