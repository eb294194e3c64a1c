#include "model/encoders/convolution.h"

#include "nn/torch.h"

#include "nn/gated_convolution.h"

namespace heed {

namespace {

class ConvolutionEncoder final : public Encoder {
 public:
  ConvolutionEncoder(const ConvolutionEncoderConfig& config, int64_t input)
      : config_(config), to_width_(input, config.width), to_embedding_(config.width, input) {
    input_ = register_module("input", std::make_shared<ConvolutionInput>(config, input));
    register_module("to_width", to_width_);
    for (int64_t layer = 0; layer < config.layers; ++layer) {
      layers_.push_back(register_module(
          fmt::format("layer_{}", layer),
          std::make_shared<GatedConvolution>(config.width, config.kernel, config.dropout)));
    }
    register_module("to_embedding", to_embedding_);
  }

  EncodedSource encode(const Tensor& embedded, const SourceBatch& source, const Pass& pass,
                       EncoderOutput&) override {
    const Tensor positions = places_of(source.lengths, embedded.size(1));
    const Tensor e = input_->forward(embedded, positions, pass);  // [R,S,E]
    const Tensor closed = ~source.mask.unsqueeze(2);              // [R,S,1]
    const int64_t side = config_.kernel / 2;
    Tensor x = to_width_(e);  // [R,S,W]
    for (const auto& layer : layers_) {
      // Behind a sentence stand zeros, as before it.
      const Tensor seen = dropout(x, config_.dropout, pass).masked_fill(closed, 0);
      x = residual_sum(layer->forward(torch::constant_pad_nd(seen, {0, 0, side, side})), x);
    }
    const Tensor z = to_embedding_(x);  // [R,S,E]
    EncodedSource encoded = encoded_states(z, source);
    encoded.source.values = z + e;
    return encoded;
  }

 private:
  ConvolutionEncoderConfig config_;
  std::shared_ptr<ConvolutionInput> input_;
  std::vector<std::shared_ptr<GatedConvolution>> layers_;
  torch::nn::Linear to_width_, to_embedding_;
};

}  // namespace

void ConvolutionEncoderConfig::validate(Problems& problems) const {
  if (kernel % 2 == 0)
    problems.add("kernel", fmt::format("{} is even, expected an odd number", kernel));
}

SourceDims ConvolutionEncoderConfig::dims(int64_t input) const {
  return {.key = input, .value = input, .cell = "", .layers = 1, .final_width = input};
}

std::shared_ptr<Encoder> ConvolutionEncoderConfig::build(int64_t input, int64_t) const {
  return std::make_shared<ConvolutionEncoder>(*this, input);
}

}  // namespace heed
