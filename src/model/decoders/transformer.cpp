// A self-attention decoder (Vaswani et al. 2017, section 3.1).
#include "nn/torch.h"

#include "model/builders.h"
#include "model/decoders/transformer_config.h"
#include "model/parameter_names_spec.h"
#include "model/recomputed_layer.h"
#include "model/transformer_input.h"
#include "nn/attention/builders.h"
#include "nn/feed_forward.h"
#include "nn/norm.h"
#include "nn/residual.h"

namespace heed {

namespace {

class DecoderLayer final : public Module {
 public:
  DecoderLayer(const TransformerDecoderConfig& config, const DecoderDims& dims, int64_t layer)
      : layer_(layer) {
    using Names = names::TransformerLayerNames;
    const auto residual = [&](const char* name) {
      return register_module(name, std::make_shared<Residual>(config.width, config.norm,
                                                              config.dropout, config.norm_type));
    };
    AttentionDims self_dims = config.self_dims(Place::kDecoderSelf),
                  cross_dims = config.cross_dims(dims);
    self_dims.layer = cross_dims.layer = layer;
    self_attention_ =
        register_module(Names::kSelfAttention, build(config.self_attention_of(layer), self_dims));
    const AttentionConfig& attention = config.attention_of(layer);
    attention_ = register_module(Names::kCrossAttention, build(attention, cross_dims));
    feed_forward_ = register_module(
        Names::kFeedForward,
        std::make_shared<FeedForward>(config.width, config.feed_forward, config.activation,
                                      config.activation_dropout));
    around_self_ = residual(Names::kSelfResidual);
    if (attention.reads()) around_attention_ = residual(Names::kCrossResidual);
    self_ = layout_.block("self", self_attention_->layout());
    cross_ = layout_.block("cross", attention_->layout());
    around_feed_forward_ = residual(Names::kFeedForwardResidual);
    const DeepNorm depth = DeepNorm::of_stack(2 * config.layers + config.reading_layers());
    around_self_->deepen(depth, self_attention_);
    if (around_attention_) around_attention_->deepen(depth, attention_);
    around_feed_forward_->deepen(depth, feed_forward_);
  }

  void start(const EncoderOutput& source, StateView state) {
    attention_->start(source.memories(), state[cross_]);
  }

  Tensor forward(const Tensor& x, const Tensor& positions, StateView state, Step& step) {
    const Pass& pass = state.pass();
    const Tensor own = around_self_->forward(x, pass, [&](const Tensor& y) {
      return step.take({.place = Place::kDecoderSelf, .layer = layer_},
                       self_attention_->attend_past(y, y, y, positions, state[self_]));
    });
    const auto read_source = [&](const Tensor& y) {
      return step.take(
          {.place = Place::kCross, .layer = layer_},
          attend_to_by_hypothesis(*attention_, own, y, positions,
                                  around_attention_->dropout_probability(), state[cross_]));
    };
    const Tensor read = around_attention_ ? around_attention_->around(own, read_source) : own;
    return around_feed_forward_->forward(
        read, pass, [&](const Tensor& y) { return feed_forward_->forward(y, pass); });
  }

 private:
  int64_t layer_;
  std::shared_ptr<Attention> self_attention_, attention_;
  std::shared_ptr<FeedForward> feed_forward_;
  std::shared_ptr<Residual> around_self_, around_feed_forward_;
  std::shared_ptr<Residual> around_attention_;  // none without attention over the source
  StateBlock self_, cross_;
};

class TransformerDecoder final : public Decoder {
 public:
  TransformerDecoder(const TransformerDecoderConfig& config, const DecoderDims& dims)
      : layer_dropout_(config.layer_dropout), aligned_(config.aligned_layer(dims)) {
    if (config.alignment.layer) alignment_.layer = aligned_;
    alignment_.heads = config.alignment.chosen_heads();
    using Names = names::TransformerStackNames;
    input_ = register_module(Names::kInput, std::make_shared<TransformerInput>(config, dims.input));
    for (int64_t layer = 0; layer < config.layers; ++layer) {
      layers_.push_back(register_module(names::layer(layer),
                                        std::make_shared<DecoderLayer>(config, dims, layer)));
      states_.push_back(layout_.block(std::to_string(layer), layers_.back()->layout()));
    }
    if (config.has_final_norm())
      final_norm_ = register_module(Names::kFinalNorm, build(config.norm_type, config.width));
  }

  void start(const EncoderOutput& source, StateView state) override {
    for (size_t i = 0; i < layers_.size(); ++i) layers_[i]->start(source, state[states_[i]]);
  }

  Step advance(const Tensor& inputs, StateView state) override {
    const Tensor positions = take_positions(state, inputs.size(1));  // [R,T]
    Step step;
    step.input = inputs;
    step.alignment = alignment_;
    Tensor x = input_->forward(inputs, positions, state.pass());  // [R,T,W]
    for (size_t i = 0; i < layers_.size(); ++i) {
      const auto layer = static_cast<int64_t>(i);
      if (layer == aligned_ || state.pass().keeps("decoder layer", layer, layer_dropout_))
        x = through(*layers_[i], x, positions, state[states_[i]], step);
    }
    step.hidden = final_norm_ ? (*final_norm_)(x) : x;
    return step;
  }

 private:
  static Tensor through(DecoderLayer& layer, const Tensor& x, const Tensor& positions,
                        StateView state, Step& step) {
    if (!recomputes(state.pass())) return layer.forward(x, positions, state, step);
    return recomputed_layer(
        layer, {x}, state, step,
        [&layer, positions](const std::vector<Tensor>& inputs, StateView own, Step& found) {
          return layer.forward(inputs[0], positions, own, found);
        });
  }

  double layer_dropout_;
  int64_t aligned_;  // the layer that is never left out
  AlignmentChoice alignment_;
  std::shared_ptr<TransformerInput> input_;
  std::vector<std::shared_ptr<DecoderLayer>> layers_;
  std::vector<StateBlock> states_;    // of each
  std::shared_ptr<Norm> final_norm_;  // where has_final_norm()
};

}  // namespace

std::shared_ptr<Decoder> builders::transformer_decoder(const DecoderConfig& config,
                                                       const DecoderDims& dims) {
  return std::make_shared<TransformerDecoder>(settings_as<TransformerDecoderConfig>(config), dims);
}

}  // namespace heed
