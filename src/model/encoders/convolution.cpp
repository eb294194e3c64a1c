// A convolutional encoder (Gehring et al. 2017, section 3). The keys of attention are z_j, its
// values z_j + e_j: the output of the last layer and the embedding with its position, both of the
// width of the embedding. The gradient of z_j from all attentions is scaled (section 3.5; by half
// the number of attentions, as in the authors' code), that of e_j is not.
#include "nn/torch.h"

#include "model/builders.h"
#include "model/convolution_input.h"
#include "model/encoders/convolution_config.h"
#include "model/parameter_names_spec.h"
#include "model/recomputed_layer.h"
#include "nn/gated_convolution.h"
#include "nn/linear.h"

namespace heed {

namespace {

// x, with its gradient multiplied by `scale`.
Tensor with_scaled_gradient(const Tensor& x, double scale) {
  return x + (scale - 1) * (x - x.detach());  // whose difference is 0
}

class ConvolutionEncoder final : public Encoder {
 public:
  ConvolutionEncoder(const ConvolutionEncoderConfig& config, int64_t input) : config_(config) {
    input_ = register_module("input", std::make_shared<ConvolutionInput>(config, input));
    to_width_ =
        Linear(*this, "to_width", input, config.width, {.norm = config.norm_behind_dropout()});
    for (int64_t layer = 0; layer < config.layers; ++layer) {
      layers_.push_back(register_module(
          names::layer(layer),
          std::make_shared<GatedConvolution>(config.width, config.kernel, config.dropout)));
    }
    to_embedding_ = Linear(*this, "to_embedding", config.width, input, {.norm = config.norm()});
  }

  void read_by(const DecoderConfig& decoder) override {
    const int64_t attentions = decoder.attentions_that_scale();
    if (config_.scale_gradients && attentions > 0)
      scale_ = 1 / (2 * static_cast<double>(attentions));
  }

  EncodedSource encode(const Tensor& embedded, const SourceBatch& source, const Pass& pass,
                       EncoderOutput& output) override {
    const Tensor positions = positions_of(source.lengths, embedded.size(1));
    const Tensor e = input_->forward(embedded, positions, pass);  // [R,S,E]
    const Tensor closed = ~source.mask.unsqueeze(2);              // [R,S,1]
    Tensor x = to_width_(e);                                      // [R,S,W]
    for (const auto& layer : layers_) x = through(*layer, x, closed, pass, output);
    Tensor z = to_embedding_(x);  // [R,S,E]
    if (scale_ < 1) z = with_scaled_gradient(z, scale_);
    EncodedSource encoded = encoded_states(z, source);
    encoded.source.values = z + e;
    return encoded;
  }

 private:
  // closed [R,S,1]: padding
  Tensor through(GatedConvolution& layer, const Tensor& x, const Tensor& closed, const Pass& pass,
                 EncoderOutput& output) {
    if (!recomputes(pass)) return through(layer, x, closed, pass);
    return recomputed_layer(
        layer, {x}, pass, output,
        [this, &layer, closed](const std::vector<Tensor>& inputs, const Pass& own, EncoderOutput&) {
          return through(layer, inputs[0], closed, own);
        });
  }
  Tensor through(GatedConvolution& layer, const Tensor& x, const Tensor& closed,
                 const Pass& pass) const {
    const int64_t padding = config_.kernel / 2;
    // Zero padding behind a sentence, as before it.
    const Tensor seen = dropout(x, config_.dropout, pass).masked_fill(closed, 0);
    return residual_sum(layer.forward(torch::constant_pad_nd(seen, {0, 0, padding, padding})), x);
  }

  ConvolutionEncoderConfig config_;
  std::shared_ptr<ConvolutionInput> input_;
  std::vector<std::shared_ptr<GatedConvolution>> layers_;
  Linear to_width_, to_embedding_;
  double scale_ = 1;  // of the gradient by z
};

}  // namespace

std::shared_ptr<Encoder> builders::convolution_encoder(const EncoderConfig& config, int64_t input,
                                                       int64_t) {
  return std::make_shared<ConvolutionEncoder>(settings_as<ConvolutionEncoderConfig>(config), input);
}

}  // namespace heed
