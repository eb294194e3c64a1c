// Attention sum: the answer is a word of the source, its probability the sum of the attention
// weights of its positions (Kadlec et al. 2016, section 3.2; Cui et al. 2017, equation 8):
//   P(w) = Σ_{i: w_i = w} a_i
// with the weights a of the decoder's last attention over the source, normalized without kEnd. The
// target is one token, then kEnd; without readable positions it is kEnd alone.
#include "nn/torch.h"

#include "base/error.h"
#include "model/builders.h"
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
    const Tensor read = alignment_weights(step);  // [R,H,T,S]
    HEED_CHECK(read.defined(), "an output of weights, and none");
    const CopiedIds ids = copies_.get(state, embedding_->size());
    const Tensor weights = distribution_of(ids.without_end(read.mean(1)));     // [R,T,S]
    const Tensor nothing = weights.sum(-1, true) == 0;                         // [R,T,1]
    const Tensor answers = ids.gather(log_of_mass(weights));                   // [R,T,V+X]
    const Tensor ended = is_first_token(step, state).logical_not() | nothing;  // [R,T,1]
    return torch::where(ended, end_alone(answers), answers);
  }

 private:
  std::shared_ptr<Embedding> embedding_;  // belongs to the model
  KeptCopies copies_{layout_};
};

}  // namespace

std::shared_ptr<Output> builders::pointer_sum(const OutputConfig&, const OutputDims&,
                                              std::shared_ptr<Embedding> embedding) {
  return std::make_shared<PointerSum>(std::move(embedding));
}

}  // namespace heed
