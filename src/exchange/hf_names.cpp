#include "exchange/hf_names.h"

#include "nn/torch.h"

#include "model/parameter_names_spec.h"

namespace heed {

namespace {

class NameList {
 public:
  void add_stack(const std::string& own, const std::string& other, const StackShape& shape) {
    const names::TransformerStackNames stack(own);
    if (shape.embedding_norm)
      add(stack.embedding_norm, other + ".layernorm_embedding", Stream::kVector);
    for (int64_t i = 0; i < shape.layers(); ++i) {
      const names::TransformerLayerNames layer(names::layer(own, i));
      const std::string to = other_layer(other, i);
      add_attention(layer.self_attention, to + ".self_attn");
      add(layer.self_norm, to + ".self_attn_layer_norm", Stream::kVector);
      add(layer.inner, to + ".fc1", Stream::kReads);
      add(layer.outer, to + ".fc2", Stream::kWrites);
      add(layer.feed_forward_norm, to + ".final_layer_norm", Stream::kVector);
    }
    if (!shape.post_norm()) add(stack.final_norm, other + ".layer_norm", Stream::kVector);
  }
  void add_cross_attention(const std::string& own, const std::string& other, int64_t i) {
    const names::TransformerLayerNames layer(names::layer(own, i));
    const std::string to = other_layer(other, i);
    add_attention(layer.cross_attention, to + ".encoder_attn");
    add(layer.cross_norm, to + ".encoder_attn_layer_norm", Stream::kVector);
  }
  std::vector<NamePair> take() { return std::move(names_); }

 private:
  static std::string other_layer(const std::string& stack, int64_t i) {
    return fmt::format("{}.layers.{}", stack, i);
  }
  void add(const std::string& own, const std::string& other, Stream stream) {
    names_.push_back({names::weight(own), other + ".weight", stream});
    names_.push_back({names::bias(own), other + ".bias", stream, true});
  }
  void add_attention(const names::AttentionNames& own, const std::string& other) {
    add(own.query, other + ".q_proj", Stream::kReads);
    add(own.key, other + ".k_proj", Stream::kReads);
    add(own.value, other + ".v_proj", Stream::kReads);
    add(own.output, other + ".out_proj", Stream::kWrites);
  }

  std::vector<NamePair> names_;
};

}  // namespace

std::vector<NamePair> hf_names(const TransformerShape& shape) {
  constexpr const char *kEncoder = "model.encoder", *kDecoder = "model.decoder";
  NameList list;
  list.add_stack(names::encoder(shape.vocabulary.sources.front().name), kEncoder,
                 shape.encoder.stack());
  list.add_stack(names::kDecoder, kDecoder, shape.decoder);
  for (int64_t i = 0; i < shape.decoder.layers(); ++i)
    list.add_cross_attention(names::kDecoder, kDecoder, i);
  return list.take();
}

Tensor halves_from_interleaved(int64_t width) {
  const Tensor even = torch::arange(0, width, 2), odd = torch::arange(1, width, 2);
  return torch::cat({even, odd});  // [W]
}

Tensor in_stream_order(const Tensor& parameter, const NamePair& name, const Tensor& order) {
  if (name.stream == Stream::kReads)
    return name.is_bias ? parameter : parameter.index_select(1, order);
  return parameter.index_select(0, order);
}

}  // namespace heed
