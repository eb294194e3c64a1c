// Directional self-attention (Shen et al. 2018, DiSAN): each layer has a forward and a backward
// block, whose outputs are concatenated. A block is
//   h = ELU(W x + b),  s_i = attention over the keys before or after i,  u = fusion of s and h.
// Fusions of s and h:
//   gate        F = sigmoid(W1 s + W2 h + b),  u = F ⊙ h + (1 - F) ⊙ s        (equations 20, 21)
//   projected   s' = W1 s + b1, h' = W2 h + b2, F = sigmoid(s' + h' + b),
//               u = F ⊙ s' + (1 - F) ⊙ h'        (Im and Cho 2017, with a `distance` in the terms)
// Positions without such keys have s = 0.
#include "nn/torch.h"

#include "model/builders.h"
#include "model/encoders/disan_config.h"
#include "nn/attention/builders.h"
#include "nn/linear.h"

namespace heed {

namespace {

using Fusion = DisanEncoderConfig::Fusion;
using Direction = DirectionalConfig::Direction;
constexpr Direction kDirections[] = {Direction::kForward, Direction::kBackward};

// Fusion of the context vectors s and the queries h.  [R,S,W] each
class FusionOf final : public Module {
 public:
  FusionOf(Fusion fusion, int64_t width)
      : fusion_(fusion),
        from_sum_(*this, "from_sum", width, width),
        from_own_(*this, "from_own", width, width, {.bias = fusion == Fusion::kProjected}) {
    if (fusion == Fusion::kProjected) bias_ = add_parameter("bias", {width}, Init::all(0));
  }
  Tensor forward(const Tensor& s, const Tensor& h) {
    const Tensor of_sum = from_sum_(s), of_own = from_own_(h);
    if (fusion_ == Fusion::kGate) {
      const Tensor gate = torch::sigmoid(of_sum + of_own);
      return gate * h + (1 - gate) * s;
    }
    const Tensor gate = torch::sigmoid(of_sum + of_own + bias_);
    return gate * of_sum + (1 - gate) * of_own;
  }

 private:
  Fusion fusion_;
  Linear from_sum_, from_own_;
  Tensor bias_;  // [W], of a projected fusion
};

class Block final : public Module {
 public:
  Block(const DisanEncoderConfig& config, int64_t input, int64_t layer, Direction direction)
      : dropout_(config.dropout),
        layer_(layer),
        part_(direction == Direction::kForward ? Part::kForward : Part::kBackward),
        to_own_(*this, "to_own", input, config.width / 2) {
    attention_ =
        register_module("attention", build(*config.one_way(direction), config.block_dims()));
    fusion_ =
        register_module("fusion", std::make_shared<FusionOf>(config.fusion, config.width / 2));
  }

  Tensor forward(const Tensor& x, const SourceBatch& source, const Pass& pass,
                 EncoderOutput& output) {
    const Tensor h = torch::elu(to_own_(dropout(x, dropout_, pass)));  // [R,S,W/2]
    Attended attended = attend_own_sentence(*attention_, h, source, pass);
    attended.part = part_;
    return fusion_->forward(output.take({.place = Place::kEncoderSelf, .layer = layer_},
                                        std::move(attended), source.mask, pass),
                            h);
  }

 private:
  double dropout_;
  int64_t layer_;
  Part part_;
  Linear to_own_;
  std::shared_ptr<Attention> attention_;
  std::shared_ptr<FusionOf> fusion_;
};

class DisanEncoder final : public Encoder {
 public:
  DisanEncoder(const DisanEncoderConfig& config, int64_t input) : dropout_(config.dropout) {
    for (int64_t layer = 0; layer < config.layers; ++layer) {
      for (const Direction direction : kDirections) {
        const char* name = direction == Direction::kForward ? "forward" : "backward";
        blocks_.push_back(register_module(
            fmt::format("{}_{}", name, layer),
            std::make_shared<Block>(config, layer == 0 ? input : config.width, layer, direction)));
      }
    }
  }

  EncodedSource encode(const Tensor& embedded, const SourceBatch& source, const Pass& pass,
                       EncoderOutput& output) override {
    Tensor x = embedded;  // [R,S,E]
    for (size_t i = 0; i < blocks_.size(); i += 2) {
      x = torch::cat({blocks_[i]->forward(x, source, pass, output),
                      blocks_[i + 1]->forward(x, source, pass, output)},
                     2);  // [R,S,W]
    }
    return encoded_states(dropout(x, dropout_, pass), source);
  }

 private:
  double dropout_;
  std::vector<std::shared_ptr<Block>> blocks_;  // forward and backward of each layer
};

}  // namespace

std::shared_ptr<Encoder> builders::disan_encoder(const EncoderConfig& config, int64_t input,
                                                 int64_t) {
  return std::make_shared<DisanEncoder>(settings_as<DisanEncoderConfig>(config), input);
}

}  // namespace heed
