// A graph attention network (Veličković et al. 2018, section 2.1). The states of a layer with K
// heads are
//   h'_i = ELU(‖_k Σ_j α^k_ij W^k h_j)                                                (equation 5)
//   h'_i = 1/K Σ_k Σ_j α^k_ij W^k h_j    in the last layer, with `average`            (equation 6)
// where α is the softmax of the score graph over the edges. The encoder computes W h, which is query,
// key and value. Equation 6 has a last nonlinearity, which here is that of the output layer.
#include "nn/torch.h"

#include "model/builders.h"
#include "model/encoders/graph_config.h"
#include "nn/attention/builders.h"
#include "nn/linear.h"

namespace heed {

namespace {

class GraphLayer final : public Module {
 public:
  GraphLayer(const GraphEncoderConfig& config, int64_t input, int64_t layer, int64_t tags)
      : layer_(layer), averaged_(config.averages(layer) ? config.heads() : 0) {
    AttentionDims dims = config.attention_dims(layer);
    dims.tags = tags;
    node_ = Linear(*this, "node", input, dims.query, kNoBias);
    attention_ = register_module("attention", build(*config.self_attention, dims));
  }

  Tensor forward(const Tensor& x, const SourceBatch& source, const Pass& pass,
                 EncoderOutput& output) {
    const Tensor context =
        output.take({.place = Place::kEncoderSelf, .layer = layer_},
                    attend_own_sentence(*attention_, node_(x), source, pass), source.mask, pass);
    if (averaged_ > 0) return context.unflatten(2, {averaged_, -1}).mean(2);  // [R,S,W]
    return torch::elu(context);
  }

 private:
  int64_t layer_;
  int64_t averaged_;  // number of heads that are averaged; 0: they are concatenated
  Linear node_;       // W of all heads
  std::shared_ptr<Attention> attention_;
};

class GraphEncoder final : public Encoder {
 public:
  GraphEncoder(const GraphEncoderConfig& config, int64_t input, int64_t tags)
      : dropout_(config.dropout) {
    for (int64_t layer = 0; layer < config.layers; ++layer)
      layers_.push_back(register_module(
          fmt::format("layer_{}", layer),
          std::make_shared<GraphLayer>(config, layer == 0 ? input : config.width, layer, tags)));
  }

  EncodedSource encode(const Tensor& embedded, const SourceBatch& source, const Pass& pass,
                       EncoderOutput& output) override {
    Tensor x = embedded;  // [R,S,E]
    for (const auto& layer : layers_)
      x = layer->forward(dropout(x, dropout_, pass), source, pass, output);
    return encoded_states(x, source);
  }

 private:
  double dropout_;
  std::vector<std::shared_ptr<GraphLayer>> layers_;
};

}  // namespace

std::shared_ptr<Encoder> builders::graph_encoder(const EncoderConfig& config, int64_t input,
                                                 int64_t tags) {
  return std::make_shared<GraphEncoder>(settings_as<GraphEncoderConfig>(config), input, tags);
}

}  // namespace heed
