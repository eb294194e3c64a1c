// A pointer network (Vinyals et al. 2015, equation 3): a distribution over the positions of the
// source, and over nothing else.
//   u_j = vᵀ tanh(W_1 e_j + W_2 d_t), p = softmax(u)
// The probability of a token is the sum over its positions; kEnd is that of the source. If the
// source is empty, as one of several may be, kEnd has probability 1.
#include "nn/torch.h"

#include "model/builders.h"
#include "model/outputs/copying.h"
#include "model/outputs/pointer_config.h"
#include "nn/linear.h"

namespace heed {

namespace {

class PointerOutput final : public Output {
 public:
  PointerOutput(const PointerConfig& config, const OutputDims& dims,
                std::shared_ptr<Embedding> embedding)
      : embedding_(std::move(embedding)),
        source_(*this, "source", dims.source.key, config.hidden, kNoBias),
        state_(*this, "state", dims.hidden, config.hidden, kNoBias) {
    v_ = add_parameter("score", {config.hidden}, Init::vector());
  }

  void start(const EncoderOutput& source, const StateView& state) override {
    state.put(projected_, source_(copies_.put(source, state).source.keys));
  }

  Tensor embed(const Tensor& tokens, const StateView& state) override {
    return embed_known(*embedding_, tokens, state.pass());
  }

  Tensor log_probs(const Step& step, const StateView& state) override {
    const CopiedIds ids = copies_.get(state, embedding_->size());
    const int64_t hypotheses = state.hypotheses();
    const Tensor asked = by_sentence(state_(step.hidden), hypotheses);                // [N,B·T,D]
    const Tensor compared = state.get(projected_).unsqueeze(1) + asked.unsqueeze(2);  // [N,B·T,S,D]
    const Tensor u =
        ids.closed(by_hypothesis(torch::matmul(compared.tanh(), v_), hypotheses));  // [R,T,S]
    const Tensor nothing = (u == kNever).all(-1, true);                             // [R,T,1]
    const Tensor pointed =
        ids.gather(torch::log_softmax(u.masked_fill(nothing, 0), -1));  // [R,T,V+X]
    return torch::where(nothing, end_alone(pointed), pointed);
  }

 private:
  std::shared_ptr<Embedding> embedding_;  // belongs to the model
  Linear source_, state_;                 // W_1, W_2
  Tensor v_;                              // [D]
  KeptCopies copies_{layout_};
  MemorySlot projected_ = layout_.memory("projected");  // W_1 e [N,S,D]
};

}  // namespace

std::shared_ptr<Output> builders::pointer(const OutputConfig& config, const OutputDims& dims,
                                          std::shared_ptr<Embedding> embedding) {
  return std::make_shared<PointerOutput>(settings_as<PointerConfig>(config), dims,
                                         std::move(embedding));
}

}  // namespace heed
