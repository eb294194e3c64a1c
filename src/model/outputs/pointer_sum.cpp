#include "model/outputs/pointer_sum.h"

#include "nn/torch.h"

#include "base/error.h"
#include "model/outputs/copying.h"

namespace heed {

namespace {

class PointerSum final : public Output {
 public:
  explicit PointerSum(std::shared_ptr<Embedding> embedding) : embedding_(std::move(embedding)) {}

  void start(const EncoderOutput& source, const StateView& state) override {
    copies_.put(source, state);
  }

  Tensor embed(const Tensor& tokens, const StateView& state) override {
    return embed_known(*embedding_, tokens, state.pass());
  }

  Tensor log_probs(const Step& step, const StateView& state) override {
    const Attended* read = alignment_of(step);
    HEED_CHECK(read != nullptr, "an output of weights, and none");
    const CopiedIds ids = copies_.get(state, embedding_->size());
    const int64_t steps = step.hidden.size(1);
    const Tensor weights = distribution_of(ids.without_end(read->weights.mean(1)));  // [R,T,S]
    const Tensor nothing = weights.sum(-1, true) == 0;                               // [R,T,1]
    const Tensor answers = ids.gather(log_of_mass(weights));                         // [R,T,V+X]
    const Tensor first = state.positions().unsqueeze(1) - steps +
                         torch::arange(steps, state.positions().options());  // [R,T] of each token
    const Tensor ended = (first > 0).unsqueeze(2) | nothing;
    return torch::where(ended, end_alone(answers), answers);
  }

 private:
  std::shared_ptr<Embedding> embedding_;  // belongs to the model
  KeptCopies copies_{keeps_};
};

}  // namespace

void PointerSumConfig::check(const OutputDims& dims, Problems& problems) const {
  check_copying(dims, problems);
  if (dims.attention.heads == 0) {
    problems.add("",
                 "needs attention weights over one source, which the decoder's attention does not "
                 "have: choose an attention with weights, or for several sources one_source or "
                 "attention_over_attention");
  }
}

std::shared_ptr<Output> PointerSumConfig::build(const OutputDims& dims,
                                                std::shared_ptr<Embedding> embedding) const {
  return std::make_shared<PointerSum>(std::move(embedding));
}

}  // namespace heed
