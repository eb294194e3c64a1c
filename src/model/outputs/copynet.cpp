#include "model/outputs/copynet.h"

#include "nn/torch.h"

#include "model/outputs/copying.h"
#include "model/outputs/generate_or_copy.h"
#include "nn/attention/normalizers/masked_softmax.h"

namespace heed {

namespace {

constexpr const char* kStates = "output.states";
constexpr const char* kPrepared = "output.prepared";
constexpr const char* kScores = "output.scores";

class CopyNet final : public GenerateOrCopy {
 public:
  CopyNet(const CopyNetConfig& config, const OutputDims& dims, std::shared_ptr<Embedding> embedding)
      : GenerateOrCopy(dims, std::move(embedding), config.bias),
        copy_(torch::nn::LinearOptions(dims.source.key, dims.hidden).bias(false)) {
    register_module("copy", copy_);
  }

  void start(const EncoderOutput& source, State& state) override {
    const Tensor& h = CopiedIds::put(source, state).source.keys;  // [R,S,K]
    state.put_shared(kStates, h);
    state.put_shared(kPrepared, copy_(h).tanh());  // [R,S,W]
    state.put(kScores, torch::zeros({h.size(0), h.size(1)}, h.options().requires_grad(false)));
  }

  bool stepwise() const override { return true; }

  // [e(y); ζ(y)]
  Tensor embed(const Tensor& tokens, State& state) override {
    const Tensor here = CopiedIds(state, vocabulary()).places_of(tokens).squeeze(1);  // [R,S]
    const double lowest = lowest_score(state.get(kScores).scalar_type());
    const Tensor rho = torch::softmax(state.get(kScores).masked_fill(~here, lowest), -1) * here;
    const Tensor read = torch::matmul(rho.unsqueeze(1), state.get(kStates));  // [R,1,K]
    return torch::cat({GenerateOrCopy::embed(tokens, state), read}, 2);
  }

  void observe(const Step& step, State& state) override {
    state.put(kScores, copy_scores(step, state).squeeze(1));
  }

 protected:
  Tensor copying(const Step& step, const State& state) override {
    return CopiedIds(state, vocabulary()).closed(copy_scores(step, state));  // [R,T,S]
  }

 private:
  // ψ_c  [R,T,S]
  Tensor copy_scores(const Step& step, const State& state) const {
    return torch::matmul(step.hidden, state.get(kPrepared).transpose(1, 2));
  }

  torch::nn::Linear copy_;
};

}  // namespace

void CopyNetConfig::fields(Fields& f) const {
  f.field("bias", bias, "add a bias for each token of the vocabulary");
}

void CopyNetConfig::check(const OutputDims& dims, Problems& problems) const {
  check_copying(dims, problems);
}

std::shared_ptr<Output> CopyNetConfig::build(const OutputDims& dims,
                                             std::shared_ptr<Embedding> embedding) const {
  return std::make_shared<CopyNet>(*this, dims, std::move(embedding));
}

}  // namespace heed
