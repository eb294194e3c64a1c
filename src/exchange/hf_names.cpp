#include "exchange/hf_names.h"

#include "nn/torch.h"

namespace heed {

namespace {

struct LayerName {
  const char *own, *other;
  Stream stream;
};

constexpr LayerName kEachLayer[] = {
    {"self_attention.score.query", "self_attn.q_proj", Stream::kReads},
    {"self_attention.score.key", "self_attn.k_proj", Stream::kReads},
    {"self_attention.read.value", "self_attn.v_proj", Stream::kReads},
    {"self_attention.read.output", "self_attn.out_proj", Stream::kWrites},
    {"self_residual.norm", "self_attn_layer_norm", Stream::kVector},
    {"feed_forward.inner", "fc1", Stream::kReads},
    {"feed_forward.outer", "fc2", Stream::kWrites},
    {"feed_forward_residual.norm", "final_layer_norm", Stream::kVector},
};
constexpr LayerName kDecoderLayer[] = {
    {"attention.score.query", "encoder_attn.q_proj", Stream::kReads},
    {"attention.score.key", "encoder_attn.k_proj", Stream::kReads},
    {"attention.read.value", "encoder_attn.v_proj", Stream::kReads},
    {"attention.read.output", "encoder_attn.out_proj", Stream::kWrites},
    {"residual.norm", "encoder_attn_layer_norm", Stream::kVector},
};
constexpr LayerName kFinalNorm = {"final_norm", "layer_norm", Stream::kVector};

class NameList {
 public:
  void add(const std::string& own, const std::string& other, const LayerName& layer) {
    for (const char* part : {".weight", ".bias"})
      names_.push_back({own + "." + layer.own + part, other + "." + layer.other + part,
                        layer.stream, part == std::string(".bias")});
  }
  void add_stack(const std::string& own, const std::string& other, const StackShape& shape) {
    for (int64_t i = 0; i < shape.layers; ++i)
      for (const LayerName& name : kEachLayer) add(layer(own, i), other_layer(other, i), name);
    if (!shape.post_norm) add(own, other, kFinalNorm);
  }
  static std::string layer(const std::string& stack, int64_t i) {
    return fmt::format("{}.layer_{}", stack, i);
  }
  static std::string other_layer(const std::string& stack, int64_t i) {
    return fmt::format("{}.layers.{}", stack, i);
  }
  std::vector<NamePair> take() { return std::move(names_); }

 private:
  std::vector<NamePair> names_;
};

}  // namespace

std::vector<NamePair> hf_names(const TransformerShape& shape) {
  NameList names;
  names.add_stack("encoder_" + shape.vocabulary.source, "model.encoder", shape.encoder);
  names.add_stack("decoder", "model.decoder", shape.decoder);
  for (int64_t i = 0; i < shape.decoder.layers; ++i)
    for (const LayerName& name : kDecoderLayer)
      names.add(NameList::layer("decoder", i), NameList::other_layer("model.decoder", i), name);
  return names.take();
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
