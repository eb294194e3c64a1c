#include "model/outputs/pointer.h"

#include "nn/torch.h"

#include "config/sizes.h"
#include "model/outputs/copying.h"

namespace heed {

namespace {

constexpr const char* kProjected = "output.projected";

class PointerOutput final : public Output {
 public:
  PointerOutput(const PointerConfig& config, const OutputDims& dims,
                std::shared_ptr<Embedding> embedding)
      : embedding_(std::move(embedding)),
        source_(torch::nn::LinearOptions(dims.source.key, config.hidden).bias(false)),
        state_(torch::nn::LinearOptions(dims.hidden, config.hidden).bias(false)) {
    register_module("source", source_);
    register_module("state", state_);
    v_ = register_parameter("score", torch::empty({config.hidden}));
  }

  void start(const EncoderOutput& source, State& state) override {
    state.put_shared(kProjected, source_(CopiedIds::put(source, state).source.keys));  // [R,S,D]
  }

  Tensor embed(const Tensor& tokens, State& state) override {
    return embed_known(*embedding_, tokens, state.pass);
  }

  Tensor log_probs(const Step& step, const State& state) override {
    const CopiedIds ids(state, embedding_->size());
    const Tensor compared =
        state.get(kProjected).unsqueeze(1) + state_(step.hidden).unsqueeze(2);  // [R,T,S,D]
    const Tensor u = ids.closed(torch::matmul(compared.tanh(), v_));            // [R,T,S]
    const Tensor nothing = (u == kNever).all(-1, true);                         // [R,T,1]
    const Tensor pointed =
        ids.gather(torch::log_softmax(u.masked_fill(nothing, 0), -1));  // [R,T,V+X]
    return torch::where(nothing, end_alone(pointed), pointed);
  }

 private:
  std::shared_ptr<Embedding> embedding_;  // belongs to the model
  torch::nn::Linear source_, state_;      // W_1, W_2
  Tensor v_;                              // [D]
};

}  // namespace

void PointerConfig::fields(Fields& f) const {
  f.field("hidden", hidden, kWidths, "width of the hidden layer");
}

void PointerConfig::check(const OutputDims& dims, Problems& problems) const {
  check_copying(dims, problems);
}

std::shared_ptr<Output> PointerConfig::build(const OutputDims& dims,
                                             std::shared_ptr<Embedding> embedding) const {
  return std::make_shared<PointerOutput>(*this, dims, std::move(embedding));
}

}  // namespace heed
