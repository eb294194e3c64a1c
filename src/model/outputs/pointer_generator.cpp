// The pointer-generator: a mixture of the vocabulary distribution and of copying by attention
// weights (See et al. 2017, equations 8 and 9):
//   p_gen = σ(w_h h*_t + w_s s_t + w_x x_t + b)
//   P(w) = p_gen P_vocab(w) + (1 - p_gen) Σ_{i: w_i = w} a_i^t
// with the context vector h*_t and the weights a^t of the decoder's last attention over the source,
// the decoder state s_t and the input x_t of the decoder. With `state: decoder` s_t is the state
// itself, or with `read_state: hidden_and_cell` [h_t; c_t] as in the authors' code; else it is the
// input of the output layer. kEnd of the source, which the paper does not
// have, is not copied: its weight is left out. Weights that do not sum to 1, or that are negative
// (linformer's), are normalized first; without readable positions p_gen is 1. Computed in log
// space.
#include "nn/torch.h"

#include "base/error.h"
#include "model/builders.h"
#include "model/outputs/copying.h"
#include "model/outputs/generate_or_copy.h"
#include "model/outputs/pointer_generator_config.h"
#include "nn/linear.h"

namespace heed {

namespace {

class PointerGenerator final : public GenerateOrCopy {
 public:
  PointerGenerator(const PointerGeneratorConfig& config, const OutputDims& dims,
                   std::shared_ptr<Embedding> embedding)
      : GenerateOrCopy(dims, std::move(embedding), config.bias),
        head_(config.head),
        state_(config.state),
        copy_end_(config.copy_end) {
    gate_ = Linear(*this, "gate", dims.attention.context + config.width(dims) + dims.input, 1);
  }

  void start(const EncoderOutput& source, const StateView& state) override {
    copies_.put(source, state);
  }

 protected:
  Tensor generating(const Step& step) override {
    return gate_(torch::cat({read_by(step).context, state_read(step, state_), step.input},
                            -1));  // [R,T,1]
  }

  Tensor copying(const Step& step, const StateView& state) override {
    const Tensor weights = alignment_weights(step);                               // [R,H,T,S]
    return log_of_mass(distribution(weights, copies_.get(state, vocabulary())));  // [R,T,S]
  }

 private:
  static const Attended& read_by(const Step& step) {
    const Attended* read = alignment_of(step);
    HEED_CHECK(read != nullptr, "an output that copies, and no weights");
    return *read;
  }

  // The weights of the head, or the mean of all heads, as a distribution.  [R,T,S]
  Tensor distribution(const Tensor& read, const CopiedIds& ids) const {
    const Tensor weights = head_ ? read.select(1, *head_ - 1) : read.mean(1);
    return distribution_of(copy_end_ ? weights : ids.without_end(weights));
  }

  std::optional<int64_t> head_;
  CopyState state_;
  bool copy_end_;
  Linear gate_;
};

}  // namespace

std::shared_ptr<Output> builders::pointer_generator(const OutputConfig& config,
                                                    const OutputDims& dims,
                                                    std::shared_ptr<Embedding> embedding) {
  return std::make_shared<PointerGenerator>(settings_as<PointerGeneratorConfig>(config), dims,
                                            std::move(embedding));
}

}  // namespace heed
