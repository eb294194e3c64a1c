// A self-attention encoder (Vaswani et al. 2017, section 3.1).
#include "nn/torch.h"

#include "model/builders.h"
#include "model/encoders/transformer_config.h"
#include "model/parameter_names_spec.h"
#include "model/recomputed_layer.h"
#include "model/transformer_input.h"
#include "nn/attention/builders.h"
#include "nn/feed_forward.h"
#include "nn/residual.h"

namespace heed {

namespace {

class EncoderLayer final : public Module {
 public:
  EncoderLayer(const TransformerSettings& settings, int64_t layer, int64_t tags) : layer_(layer) {
    using Names = names::TransformerLayerNames;
    AttentionDims dims = settings.self_dims(Place::kEncoderSelf);
    dims.tags = tags;
    dims.layer = layer;
    attention_ =
        register_module(Names::kSelfAttention, build(settings.self_attention_of(layer), dims));
    around_attention_ = register_module(
        Names::kSelfResidual, std::make_shared<Residual>(settings.width, settings.norm,
                                                         settings.dropout, settings.norm_type));
    feed_forward_ = register_module(
        Names::kFeedForward,
        std::make_shared<FeedForward>(settings.width, settings.feed_forward, settings.activation,
                                      settings.activation_dropout));
    around_feed_forward_ =
        register_module(Names::kFeedForwardResidual,
                        std::make_shared<Residual>(settings.width, settings.norm, settings.dropout,
                                                   settings.norm_type));
  }

  void deepen(const DeepNorm& depth) {
    around_attention_->deepen(depth, attention_);
    around_feed_forward_->deepen(depth, feed_forward_);
  }

  Tensor forward(const Tensor& x, const SourceBatch& source, const Pass& pass,
                 EncoderOutput& output) {
    const Tensor attended = around_attention_->forward(x, pass, [&](const Tensor& y) {
      return output.take({.place = Place::kEncoderSelf, .layer = layer_},
                         attend_own_sentence(*attention_, y, source, pass), source.mask, pass);
    });
    return around_feed_forward_->forward(
        attended, pass, [&](const Tensor& y) { return feed_forward_->forward(y, pass); });
  }

 private:
  int64_t layer_;
  std::shared_ptr<Attention> attention_;
  std::shared_ptr<Residual> around_attention_, around_feed_forward_;
  std::shared_ptr<FeedForward> feed_forward_;
};

class TransformerEncoder final : public Encoder {
 public:
  TransformerEncoder(const TransformerSettings& settings, int64_t input, int64_t tags)
      : layer_dropout_(settings.layer_dropout) {
    using Names = names::TransformerStackNames;
    input_ = register_module(Names::kInput, std::make_shared<TransformerInput>(settings, input));
    for (int64_t layer = 0; layer < settings.layers; ++layer) {
      layers_.push_back(register_module(names::layer(layer),
                                        std::make_shared<EncoderLayer>(settings, layer, tags)));
    }
    if (settings.has_final_norm())
      final_norm_ = register_module(Names::kFinalNorm, build(settings.norm_type, settings.width));
    deepen(DeepNorm::of_stack(2 * settings.layers));
  }

  void read_by(const DecoderConfig& decoder) override {
    if (decoder.reading_layers() > 0)
      deepen(DeepNorm::of_encoder(std::ssize(layers_), decoder.reading_layers()));
  }

  EncodedSource encode(const Tensor& embedded, const SourceBatch& source, const Pass& pass,
                       EncoderOutput& output) override {
    const Tensor positions = positions_of(source.lengths, embedded.size(1));
    Tensor x = input_->forward(embedded, positions, pass);       // [R,S,W]
    const Pass drawn = layer_dropout_ > 0 ? pass.fork() : pass;  // of this encoder
    for (size_t i = 0; i < layers_.size(); ++i) {
      if (drawn.keeps("encoder layer", static_cast<int64_t>(i), layer_dropout_))
        x = through(*layers_[i], x, source, pass, output);
    }
    return encoded_states(final_norm_ ? (*final_norm_)(x) : x, source);
  }

 private:
  void deepen(const DeepNorm& depth) {
    for (const auto& layer : layers_) layer->deepen(depth);
  }
  static Tensor through(EncoderLayer& layer, const Tensor& x, const SourceBatch& source,
                        const Pass& pass, EncoderOutput& output) {
    if (!recomputes(pass)) return layer.forward(x, source, pass, output);
    return recomputed_layer(
        layer, {x}, pass, output,
        [&layer, source](const std::vector<Tensor>& inputs, const Pass& own, EncoderOutput& found) {
          return layer.forward(inputs[0], source, own, found);
        });
  }

  double layer_dropout_;
  std::shared_ptr<TransformerInput> input_;
  std::vector<std::shared_ptr<EncoderLayer>> layers_;
  std::shared_ptr<Norm> final_norm_;  // where has_final_norm()
};

}  // namespace

std::shared_ptr<Encoder> builders::transformer_encoder(const EncoderConfig& config, int64_t input,
                                                       int64_t tags) {
  return std::make_shared<TransformerEncoder>(settings_as<TransformerEncoderConfig>(config), input,
                                              tags);
}

}  // namespace heed
