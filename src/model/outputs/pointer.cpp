#include "model/outputs/pointer.h"

#include "nn/torch.h"

#include "config/sizes.h"
#include "model/outputs/copying.h"

namespace heed {

namespace {

constexpr const char* kPrepared = "output.prepared";

class PointerOutput final : public Output {
 public:
  PointerOutput(const PointerConfig& config, const OutputDims& dims)
      : embedding_(dims.embedding),
        vocabulary_(dims.vocabulary),
        source_(torch::nn::LinearOptions(dims.source.key, config.hidden).bias(false)),
        state_(torch::nn::LinearOptions(dims.hidden, config.hidden).bias(false)) {
    register_module("source", source_);
    register_module("state", state_);
    v_ = register_parameter("score", torch::empty({config.hidden}));
  }

  void start(const EncoderOutput& source, State& state) override {
    state.put_shared(kPrepared, source_(CopiedIds::put(source, state).source.keys));  // [R,S,D]
  }

  Tensor embed(const Tensor& tokens, State& state) override {
    return embed_known(*embedding_, tokens, state.pass);
  }

  Tensor log_probs(const Step& step, const State& state) override {
    const CopiedIds ids(state, vocabulary_);
    const Tensor compared =
        state.get(kPrepared).unsqueeze(1) + state_(step.hidden).unsqueeze(2);  // [R,T,S,D]
    const Tensor u = ids.closed(torch::matmul(compared.tanh(), v_));           // [R,T,S]
    const Tensor nothing = (u == kNever).all(-1, true);                        // [R,T,1]
    const Tensor pointed =
        ids.gather(torch::log_softmax(u.masked_fill(nothing, 0), -1));  // [R,T,V+X]
    return torch::where(nothing, end_alone(pointed), pointed);
  }

 private:
  std::shared_ptr<Embedding> embedding_;  // belongs to the model
  int64_t vocabulary_;
  torch::nn::Linear source_, state_;  // W_1, W_2
  Tensor v_;                          // [D]
};

}  // namespace

void PointerConfig::fields(Fields& f) {
  f.field("hidden", hidden, kWidths, "width of the hidden layer");
}

void PointerConfig::check(const OutputDims& dims, Problems& problems) const {
  check_copying(dims, problems);
}

std::shared_ptr<Output> PointerConfig::build(const OutputDims& dims) const {
  return std::make_shared<PointerOutput>(*this, dims);
}

}  // namespace heed
