// No network: the decoder attends to the embeddings, with position encodings. Without these it is a
// bag of words; as sentence encoder of `hierarchical` it is the memory of Sukhbaatar et al. 2015,
// whose temporal encoding T is `positions: learned` counted from the last sentence. With
// `intra_attention` a state is [a_i; a'_i] (Parikh et al. 2016, section 3.4):
//   f_ij = F(a_i)ᵀ F(a_j),  a'_i = Σ_j softmax_j(f_ij + d_(i-j)) a_j
// where F is two layers with rectifiers, and d, the same for all distances above 10, the term
// distance_bias of `attention`.
#include "nn/torch.h"

#include "model/builders.h"
#include "model/encoders/embeddings_config.h"
#include "nn/attention/builders.h"
#include "nn/positions.h"
#include "nn/rectified_layers.h"

namespace heed {

namespace {

class IntraAttention final : public Module {
 public:
  IntraAttention(const IntraAttentionConfig& config, int64_t width, int64_t tags)
      : dropout_(config.dropout), attend_(*this, "attend", config.layers, width, config.hidden) {
    AttentionDims dims = config.attention_dims(width);
    dims.tags = tags;
    attention_ = register_module("attention", build(*config.attention, dims));
  }

  // [R,S,W] -> [R,S,W + context]
  Tensor forward(const Tensor& a, const SourceBatch& source, const Pass& pass,
                 EncoderOutput& output) {
    Source own = make_source(attend_(a, dropout_, pass), source.lengths);
    own.values = a;
    own.features = source.features;
    State state(attention_->layout(), a.size(0), pass, a.device());
    attention_->start({{"self", own}}, state.view());
    Attended attended = attention_->attend(own.keys, own.positions, state.view());
    return torch::cat(
        {a, output.take({.place = Place::kEncoderSelf}, std::move(attended), source.mask, pass)},
        2);
  }

 private:
  double dropout_;
  RectifiedLayers attend_;  // F
  std::shared_ptr<Attention> attention_;
};

class EmbeddingsEncoder final : public Encoder {
 public:
  EmbeddingsEncoder(const EmbeddingsEncoderConfig& config, int64_t input, int64_t tags)
      : dropout_(config.dropout), from_end_(config.from_end) {
    positions_ = register_module("positions", build(*config.positions, input));
    if (config.intra_attention)
      intra_ = register_module("intra_attention", std::make_shared<IntraAttention>(
                                                      *config.intra_attention, input, tags));
  }

  EncodedSource encode(const Tensor& x, const SourceBatch& source, const Pass& pass,
                       EncoderOutput& output) override {
    const Tensor begin = positions_of(source.lengths, x.size(1));
    const Tensor placed = positions_->add_to(
        x, from_end_ ? (source.lengths.unsqueeze(1) - 1 - begin).clamp_min(0) : begin);
    const Tensor a = dropout(placed, dropout_, pass);
    return encoded_states(intra_ ? intra_->forward(a, source, pass, output) : a, source);
  }

 private:
  double dropout_;
  bool from_end_;
  std::shared_ptr<Positions> positions_;
  std::shared_ptr<IntraAttention> intra_;  // null: none
};

}  // namespace

std::shared_ptr<Encoder> builders::embeddings_encoder(const EncoderConfig& config, int64_t input,
                                                      int64_t tags) {
  return std::make_shared<EmbeddingsEncoder>(settings_as<EmbeddingsEncoderConfig>(config), input,
                                             tags);
}

}  // namespace heed
