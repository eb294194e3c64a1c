// Directional self-attention (Shen et al. 2018, DiSAN): each layer has a forward and a backward
// block, whose outputs are concatenated. A block is
//   h = ELU(W x + b),  s_i = attention over the keys before or after i,  u = fusion of s and h.
// Fusions of s and h:
//   gate         F = sigmoid(W1 s + W2 h + b),  u = F ⊙ h + (1 - F) ⊙ s       (equations 20, 21)
//   projected    s' = W1 s + b1, h' = W2 h + b2, F = sigmoid(s' + h' + b), u = F ⊙ s' + (1 - F) ⊙ h'
//   normalized   s' = N(W1 N(s)), h' = N(W2 h), F = sigmoid(s' + h' + b),
//                u = N(F ⊙ h' + (1 - F) ⊙ s'), N layer normalization
// The block of Im and Cho 2017 has the input x as h (`input_layer: false`), the fusion normalized,
// where the paper calls s the result H of multi-head attention and h the word S, and a feed-forward
// layer:
//   y = N(u + W' max(0, W u + b) + b')
// ReSAN (Shen et al. 2018) has one block without direction, whose attention has the term reinforced.
// Positions without keys have s = 0.
#include "nn/torch.h"

#include "model/builders.h"
#include "model/encoders/disan_config.h"
#include "nn/attention/builders.h"
#include "nn/feed_forward.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"
#include "nn/residual.h"

namespace heed {

namespace {

using Fusion = DisanEncoderConfig::Fusion;
using Direction = DirectionalConfig::Direction;
using BlockDirection = DisanEncoderConfig::BlockDirection;

// Fusion of the context vectors s and the queries h.  [R,S,W] each
class FusionOf final : public Module {
 public:
  FusionOf(Fusion fusion, int64_t width, double dropout)
      : fusion_(fusion),
        dropout_(dropout),
        from_sum_(*this, "from_sum", width, width, {.bias = fusion != Fusion::kNormalized}),
        from_own_(*this, "from_own", width, width, {.bias = fusion == Fusion::kProjected}) {
    if (fusion != Fusion::kGate) bias_ = add_parameter("bias", {width}, Init::all(0));
    if (fusion != Fusion::kNormalized) return;
    const auto norm = [&](const char* name) {
      return register_module(name, std::make_shared<LayerNorm>(width));
    };
    sum_norm_ = norm("sum_norm");
    from_sum_norm_ = norm("from_sum_norm");
    from_own_norm_ = norm("from_own_norm");
    norm_ = norm("norm");
  }

  Tensor forward(const Tensor& s, const Tensor& h, const Pass& pass) {
    if (fusion_ == Fusion::kNormalized) return normalized(s, h, pass);
    const Tensor of_sum = from_sum_(s), of_own = from_own_(h);
    if (fusion_ == Fusion::kGate) {
      const Tensor gate = torch::sigmoid(of_sum + of_own);
      return gate * h + (1 - gate) * s;
    }
    const Tensor gate = torch::sigmoid(of_sum + of_own + bias_);
    return gate * of_sum + (1 - gate) * of_own;
  }

 private:
  Tensor normalized(const Tensor& s, const Tensor& h, const Pass& pass) {
    const Tensor of_sum = (*from_sum_norm_)(from_sum_(dropout((*sum_norm_)(s), dropout_, pass))),
                 of_own = (*from_own_norm_)(from_own_(h));
    const Tensor gate = torch::sigmoid(dropout(of_sum + of_own + bias_, dropout_, pass));
    return (*norm_)(gate * of_own + (1 - gate) * of_sum);
  }

  Fusion fusion_;
  double dropout_;
  Linear from_sum_, from_own_;
  Tensor bias_;                                                                 // [W], unless kGate
  std::shared_ptr<LayerNorm> sum_norm_, from_sum_norm_, from_own_norm_, norm_;  // of kNormalized
};

// The feed-forward layer at the end of a block.
class BlockEnd final : public Module {
 public:
  BlockEnd(int64_t width, int64_t hidden, double dropout) {
    around_ =
        register_module("residual", std::make_shared<Residual>(width, NormPlace::kPost, dropout));
    layer_ = register_module("layer",
                             std::make_shared<FeedForward>(width, hidden, Activation::kRelu, 0));
  }
  Tensor forward(const Tensor& u, const Pass& pass) {
    return around_->forward(u, pass, [&](const Tensor& x) { return layer_->forward(x, pass); });
  }

 private:
  std::shared_ptr<Residual> around_;
  std::shared_ptr<FeedForward> layer_;
};

Part part_of(BlockDirection direction) {
  if (!direction) return Part::kWhole;
  return *direction == Direction::kForward ? Part::kForward : Part::kBackward;
}

const char* name_of(BlockDirection direction) {
  if (!direction) return "block";
  return *direction == Direction::kForward ? "forward" : "backward";
}

class Block final : public Module {
 public:
  Block(const DisanEncoderConfig& config, int64_t input, int64_t layer, BlockDirection direction)
      : dropout_(config.dropout), layer_(layer), part_(part_of(direction)) {
    const int64_t width = config.block_width();
    if (config.input_layer) to_own_ = Linear(*this, "to_own", input, width);
    attention_ =
        register_module("attention", build(*config.one_way(direction), config.block_dims()));
    fusion_ =
        register_module("fusion", std::make_shared<FusionOf>(config.fusion, width, config.dropout));
    if (config.feed_forward > 0)
      end_ = register_module(
          "feed_forward", std::make_shared<BlockEnd>(width, config.feed_forward, config.dropout));
  }

  Tensor forward(const Tensor& x, const SourceBatch& source, const Pass& pass,
                 EncoderOutput& output) {
    const Tensor dropped = dropout(x, dropout_, pass);
    const Tensor h = to_own_ ? torch::elu(to_own_(dropped)) : dropped;  // [R,S,W]
    Attended attended = attend_own_sentence(*attention_, h, source, pass);
    attended.part = part_;
    const Tensor s = output.take({.place = Place::kEncoderSelf, .layer = layer_},
                                 std::move(attended), source.mask, pass);
    const Tensor u = fusion_->forward(s, h, pass);
    return end_ ? end_->forward(u, pass) : u;
  }

 private:
  double dropout_;
  int64_t layer_;
  Part part_;
  Linear to_own_;  // none without input_layer
  std::shared_ptr<Attention> attention_;
  std::shared_ptr<FusionOf> fusion_;
  std::shared_ptr<BlockEnd> end_;  // null: none
};

class DisanEncoder final : public Encoder {
 public:
  DisanEncoder(const DisanEncoderConfig& config, int64_t input) : dropout_(config.dropout) {
    for (int64_t layer = 0; layer < config.layers; ++layer) {
      auto& blocks = layers_.emplace_back();
      for (const BlockDirection direction : config.blocks()) {
        blocks.push_back(register_module(
            fmt::format("{}_{}", name_of(direction), layer),
            std::make_shared<Block>(config, layer == 0 ? input : config.width, layer, direction)));
      }
    }
  }

  EncodedSource encode(const Tensor& embedded, const SourceBatch& source, const Pass& pass,
                       EncoderOutput& output) override {
    Tensor x = embedded;  // [R,S,E]
    for (const auto& blocks : layers_) {
      std::vector<Tensor> parts;
      for (const auto& block : blocks) parts.push_back(block->forward(x, source, pass, output));
      x = torch::cat(parts, 2);  // [R,S,W]
    }
    return encoded_states(dropout(x, dropout_, pass), source);
  }

 private:
  double dropout_;
  std::vector<std::vector<std::shared_ptr<Block>>> layers_;
};

}  // namespace

std::shared_ptr<Encoder> builders::disan_encoder(const EncoderConfig& config, int64_t input,
                                                 int64_t) {
  return std::make_shared<DisanEncoder>(settings_as<DisanEncoderConfig>(config), input);
}

}  // namespace heed
