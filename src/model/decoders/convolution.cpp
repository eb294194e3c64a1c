// A convolutional decoder with attention in every layer (Gehring et al. 2017, sections 3.2 to 3.4):
// each layer sees the last K positions. The query is d_i = W_d h_i + b_d + g_i, with the output h_i
// of the layer and the target embedding g_i; the context vector, times √m for m source positions to
// preserve its variance, is added to h_i. Dropout is also applied to h_i of the last layer (section
// 4.2); the authors' code applies it behind a first linear layer of the output, here the projection
// to tied embeddings. `weight_norm`: section 3.5.
#include "nn/torch.h"

#include "model/builders.h"
#include "model/convolution_input.h"
#include "model/decoders/convolution_config.h"
#include "model/parameter_names_spec.h"
#include "model/recomputed_layer.h"
#include "nn/attention/builders.h"
#include "nn/attention/terms/wait_k.h"
#include "nn/gated_convolution.h"
#include "nn/linear.h"

namespace heed {

namespace {

class ConvolutionLayer final : public Module {
 public:
  ConvolutionLayer(const ConvolutionDecoderConfig& config, const DecoderDims& dims, int64_t layer)
      : config_(config), policies_(policies_in(*config.attention)), layer_(layer) {
    convolution_ = register_module("convolution", std::make_shared<GatedConvolution>(
                                                      config.width, config.kernel, config.dropout));
    const AttentionDims cross = config.cross_dims(dims);
    attention_ = register_module("attention", build(*config.attention, cross));
    cross_ = layout_.block("attention", attention_->layout());
    const int64_t context = config.attention->context_width(cross);
    if (context == 0) return;  // `attention: none`
    to_query_ = Linear(*this, "to_query", config.width, dims.input, {.norm = config.norm()});
    from_context_ = Linear(*this, "from_context", context, config.width, {.norm = config.norm()});
  }

  void start(const EncoderOutput& source, StateView state) {
    attention_->start(source.memories(), state[cross_]);
    const auto options = convolution_->parameters().front().options().requires_grad(false);
    Tensor longest = torch::zeros({state.rows()}, options);
    for (const auto& [name, other] : source.sources)
      longest = torch::maximum(longest, other.source.lengths.to(longest));
    state.put(root_of_length_, longest.sqrt());
    state.put(before_, torch::zeros({state.rows(), config_.kernel - 1, config_.width}, options));
  }

  // x [R,T,W], target embeddings g [R,T,E] -> [R,T,W]
  Tensor forward(const Tensor& x, const Tensor& g, const Tensor& positions, StateView state,
                 Step& step) {
    const Tensor seen =
        torch::cat({state.get(before_), dropout(x, config_.dropout, state.pass())}, 1);
    state.put(before_, seen.narrow(1, x.size(1), config_.kernel - 1));
    const Tensor h = convolution_->forward(seen);  // [R,T,W]
    if (!from_context_) return residual_sum(h, x);
    const Tensor d = to_query_(h) + g;  // [R,T,E]
    const Tensor context =
        step.take({.place = Place::kCross, .layer = layer_},
                  attend_by_hypothesis(*attention_, d, positions, state[cross_]));
    const Tensor read = from_context_(context * root_of_read(positions, state));
    return residual_sum(h + read, x);
  }

 private:
  // √m [R,1|T,1]; with wait_k m counts the positions that have been read.
  Tensor root_of_read(const Tensor& positions, StateView state) const {
    Tensor root = state.by_row(root_of_length_).unsqueeze(1);  // [R,1]
    for (const WaitKConfig& policy : policies_)
      root = torch::minimum(root, tokens_read(policy, positions).to(root).sqrt());
    return root.unsqueeze(2);
  }

  ConvolutionDecoderConfig config_;
  std::vector<WaitKConfig> policies_;  // of the attention; one at most
  int64_t layer_;
  std::shared_ptr<GatedConvolution> convolution_;
  std::shared_ptr<Attention> attention_;
  Linear to_query_, from_context_;  // none without attention
  StateBlock cross_;
  MemorySlot root_of_length_ = layout_.memory("root_of_length");  // [N] of the longest source
  CarrySlot before_ = layout_.carry("before");                    // [R,K-1,W] inputs
};

class ConvolutionDecoder final : public Decoder {
 public:
  ConvolutionDecoder(const ConvolutionDecoderConfig& config, const DecoderDims& dims)
      : dropout_(config.dropout) {
    input_ = register_module("input", std::make_shared<ConvolutionInput>(config, dims.input));
    to_width_ =
        Linear(*this, "to_width", dims.input, config.width, {.norm = config.norm_behind_dropout()});
    for (int64_t layer = 0; layer < config.layers; ++layer) {
      layers_.push_back(register_module(names::layer(layer),
                                        std::make_shared<ConvolutionLayer>(config, dims, layer)));
      states_.push_back(layout_.block(std::to_string(layer), layers_.back()->layout()));
    }
  }

  void start(const EncoderOutput& source, StateView state) override {
    for (size_t i = 0; i < layers_.size(); ++i) layers_[i]->start(source, state[states_[i]]);
  }

  Step advance(const Tensor& inputs, StateView state) override {
    const Tensor positions = take_positions(state, inputs.size(1));  // [R,T]
    Step step;
    step.input = inputs;
    const Tensor g = input_->forward(inputs, positions, state.pass());  // [R,T,E]
    Tensor x = to_width_(g);                                            // [R,T,W]
    for (size_t i = 0; i < layers_.size(); ++i)
      x = through(*layers_[i], x, g, positions, state[states_[i]], step);
    step.hidden = dropout(x, dropout_, state.pass());
    return step;
  }

 private:
  static Tensor through(ConvolutionLayer& layer, const Tensor& x, const Tensor& g,
                        const Tensor& positions, StateView state, Step& step) {
    if (!recomputes(state.pass())) return layer.forward(x, g, positions, state, step);
    return recomputed_layer(
        layer, {x, g}, state, step,
        [&layer, positions](const std::vector<Tensor>& inputs, StateView own, Step& found) {
          return layer.forward(inputs[0], inputs[1], positions, own, found);
        });
  }

  double dropout_;
  std::shared_ptr<ConvolutionInput> input_;
  Linear to_width_;
  std::vector<std::shared_ptr<ConvolutionLayer>> layers_;
  std::vector<StateBlock> states_;  // of each
};

}  // namespace

std::shared_ptr<Decoder> builders::convolution_decoder(const DecoderConfig& config,
                                                       const DecoderDims& dims) {
  return std::make_shared<ConvolutionDecoder>(settings_as<ConvolutionDecoderConfig>(config), dims);
}

}  // namespace heed
