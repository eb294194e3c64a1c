// A pointer network (Vinyals et al. 2015, equation 3): a distribution over the positions of the
// source, and over nothing else.
//   u_j = vᵀ tanh(W_1 e_j + W_2 d_t), p = softmax(u)
// The probability of a token is the sum over its positions; kEnd is that of the source, or with
// `source_end: false` one more position, with a learned vector in the place of W_1 e. If the source
// is empty, as one of several may be, kEnd has probability 1. d_t is the decoder state itself with
// `state: decoder`.
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
        read_(config.state),
        source_(*this, "source", dims.source.key, config.hidden, kNoBias),
        state_(*this, "state", config.width(dims), config.hidden, kNoBias) {
    v_ = add_parameter("score", {config.hidden}, Init::vector());
    if (!dims.source_end) end_ = add_parameter("end", {config.hidden}, Init::vector());
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
    const Tensor d = state_(state_read(step, read_));                                 // [R,T,D]
    const Tensor asked = by_sentence(d, hypotheses);                                  // [N,B·T,D]
    const Tensor compared = state.get(projected_).unsqueeze(1) + asked.unsqueeze(2);  // [N,B·T,S,D]
    const Tensor u = ids.closed(by_hypothesis(torch::matmul(compared.tanh(), v_), hypotheses),
                                true);  // [R,T,S]
    if (end_.defined()) return with_end(u, torch::matmul((end_ + d).tanh(), v_), ids);
    const Tensor nothing = (u == kNever).all(-1, true);  // [R,T,1]
    const Tensor pointed =
        ids.gather(torch::log_softmax(u.masked_fill(nothing, 0), -1));  // [R,T,V+X]
    return torch::where(nothing, end_alone(pointed), pointed);
  }

 private:
  // Scores u [R,T,S] of the positions and [R,T] of the end.  [R,T,V+X]
  static Tensor with_end(const Tensor& u, const Tensor& end, const CopiedIds& ids) {
    const Tensor all = torch::log_softmax(torch::cat({u, end.unsqueeze(2)}, 2), -1);  // [R,T,S+1]
    const Tensor pointed = ids.gather(all.narrow(2, 0, u.size(2)));                   // [R,T,V+X]
    const Tensor ended = torch::logaddexp(pointed.narrow(2, kEnd, 1), all.narrow(2, u.size(2), 1));
    return torch::cat({pointed.narrow(2, 0, kEnd), ended,
                       pointed.narrow(2, kEnd + 1, pointed.size(2) - kEnd - 1)},
                      2);
  }

  std::shared_ptr<Embedding> embedding_;  // belongs to the model
  CopyState read_;
  Linear source_, state_;  // W_1, W_2
  Tensor v_;               // [D]
  Tensor end_;             // W_1 e of the end [D]; undefined: the source has it
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
