#include "model/encoders/disan.h"

#include "nn/torch.h"

#include "config/sizes.h"
#include "nn/attention/staged.h"
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
        register_module("attention", config.one_way(direction)->build(config.block_dims()));
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

DisanEncoderConfig::DisanEncoderConfig() : self_attention(StagedConfig::with("multi_dim", 1)) {}

void DisanEncoderConfig::fields(Fields& f) const {
  static const Words<Fusion> words = {{"gate", Fusion::kGate}, {"projected", Fusion::kProjected}};
  f.field("layers", layers, kLayers, "number of layers");
  f.field("width", width, kWidths,
          "width of the output; a bidirectional encoder has half of it in each direction");
  f.choice(
      "fusion", fusion, words,
      "fusion of a token with its context vector. gate: Shen 2018; projected: Im and Cho 2017");
  f.field("dropout", dropout, kDropout,
          "dropout probability of the input of a layer and of the output");
  f.one_of("self_attention", self_attention, attentions(),
           "self-attention; the direction is added to its terms");
}

void DisanEncoderConfig::validate(Problems& problems) const {
  if (width % 2 == 1)
    problems.add("width", fmt::format("{} cannot be divided by two directions", width));
}

void DisanEncoderConfig::check(int64_t, Problems& problems) const {
  ProblemsAt at(problems, "self_attention");
  const auto* staged = dynamic_cast<const StagedConfig*>(self_attention.get());
  if (!staged) {
    at.add("type", fmt::format("{} has no terms, which set the direction: use staged",
                               self_attention->type));
    return;
  }
  for (const auto& term : staged->terms) {
    if (term->type == "directional")
      at.add("terms", "each block has a direction already: leave directional out");
  }
  if (staged->read && staged->read->type == "fusion_gate")
    at.add("read", "each block has a fusion gate already: leave fusion_gate out");
  const AttentionDims dims = block_dims();
  staged->check(dims, at);
  if (staged->context_width(dims) == width / 2) return;
  at.add("",
         fmt::format("gives {} features, but half of the encoder's width is {}: make them equal",
                     staged->context_width(dims), width / 2));
}

SourceDims DisanEncoderConfig::dims(int64_t) const {
  return {.source = {.key = width, .value = width}, .cell = "", .layers = 1, .final_width = width};
}

AttentionDims DisanEncoderConfig::block_dims() const {
  return {.place = Place::kEncoderSelf,
          .query = width / 2,
          .source = {.key = width / 2, .value = width / 2}};
}

std::shared_ptr<AttentionConfig> DisanEncoderConfig::one_way(Direction direction) const {
  auto term = make_kind<DirectionalConfig>("directional");
  term->direction = direction;
  auto config = std::make_shared<StagedConfig>(dynamic_cast<const StagedConfig&>(*self_attention));
  config->terms.insert(config->terms.begin(), term);
  return config;
}

std::shared_ptr<Encoder> DisanEncoderConfig::build(int64_t input, int64_t) const {
  return std::make_shared<DisanEncoder>(*this, input);
}

}  // namespace heed
