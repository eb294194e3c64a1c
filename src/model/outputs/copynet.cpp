// CopyNet (Gu et al. 2016). Generating and copying share one softmax (equations 4 to 8):
//   ψ_g(v) = v_vᵀ W_o s_t        for each piece v of the vocabulary
//   ψ_c(x_j) = tanh(h_jᵀ W_c) s_t  for each position j of the source
//   p(y) = (e^ψ_g(y) + Σ_{j: x_j = y} e^ψ_c(x_j)) / Z
// and the next input is the token with its selective read of the source (equation 9):
//   ζ(y) = Σ_{j: x_j = y} ρ_j h_j
// with ρ_j = p(x_j, copied) of the previous step, normalized over these j; zeros if y is not in the
// source. s_t is the decoder state, that of the decoder itself with `state: decoder`. The end of the
// source, which the paper does not have, is not copied.
#include "nn/torch.h"

#include "model/builders.h"
#include "model/outputs/copying.h"
#include "model/outputs/copynet_config.h"
#include "model/outputs/generate_or_copy.h"
#include "nn/attention/normalizers/masked_softmax.h"
#include "nn/linear.h"

namespace heed {

namespace {

class CopyNet final : public GenerateOrCopy {
 public:
  CopyNet(const CopyNetConfig& config, const OutputDims& dims, std::shared_ptr<Embedding> embedding)
      : GenerateOrCopy(dims, std::move(embedding), config.bias),
        state_(config.state),
        copy_end_(config.copy_end),
        copy_(*this, "copy", dims.source.key, config.width(dims), kNoBias) {}

  void start(const EncoderOutput& source, const StateView& state) override {
    const Tensor& h = copies_.put(source, state).source.keys;  // [R,S,K]
    state.put(states_, h);
    state.put(prepared_, copy_(h).tanh());
    state.put(scores_, torch::zeros({h.size(0), h.size(1)}, h.options().requires_grad(false)));
  }

  bool stepwise() const override { return true; }

  // [e(y); ζ(y)]
  Tensor embed(const Tensor& tokens, const StateView& state) override {
    const Tensor here =
        copies_.get(state, vocabulary()).occurrences_of(tokens).squeeze(1);  // [R,S]
    const Tensor& scores = state.get(scores_);
    const double lowest = lowest_score(scores.scalar_type());
    const Tensor rho = torch::softmax(scores.masked_fill(~here, lowest), -1) * here;
    const Tensor read = of_source(rho.unsqueeze(1), state.get(states_), state);  // [R,1,K]
    return torch::cat({GenerateOrCopy::embed(tokens, state), read}, 2);
  }

  void observe(const Tensor&, Step& step, const StateView& state) override {
    state.put(scores_, copy_scores(step, state).squeeze(1));
  }

 protected:
  Tensor copying(const Step& step, const StateView& state) override {
    return copies_.get(state, vocabulary()).closed(copy_scores(step, state), copy_end_);
  }

 private:
  // ψ_c  [R,T,S]
  Tensor copy_scores(const Step& step, const StateView& state) const {
    return of_source(state_read(step, state_), state.get(prepared_).transpose(1, 2), state);
  }

  // x [R,T,·] of the hypotheses by y [N,·,·] of their sentences.
  static Tensor of_source(const Tensor& x, const Tensor& y, const StateView& state) {
    const int64_t hypotheses = state.hypotheses();
    return by_hypothesis(torch::matmul(by_sentence(x, hypotheses), y), hypotheses);
  }

  CopyState state_;
  bool copy_end_;
  Linear copy_;
  MemorySlot states_ = layout_.memory("states");      // h [N,S,K]
  MemorySlot prepared_ = layout_.memory("prepared");  // tanh(W h) [N,S,W]
  CarrySlot scores_ = layout_.carry("scores");        // ψ_c of the token before [R,S]
};

}  // namespace

std::shared_ptr<Output> builders::copynet(const OutputConfig& config, const OutputDims& dims,
                                          std::shared_ptr<Embedding> embedding) {
  return std::make_shared<CopyNet>(settings_as<CopyNetConfig>(config), dims, std::move(embedding));
}

}  // namespace heed
