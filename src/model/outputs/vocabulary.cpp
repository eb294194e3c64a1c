#include "model/outputs/vocabulary.h"

#include "nn/torch.h"

#include "nn/vocabulary_loss.h"
#include "text/vocabulary.h"

namespace heed {

namespace {

class VocabularyOutput final : public Output {
 public:
  VocabularyOutput(const OutputDims& dims, bool bias)
      : embedding_(dims.embedding), to_embedding_(nullptr) {
    if (!dims.tie) {
      weight_ = register_parameter("weight", torch::empty({dims.vocabulary, dims.hidden}));
    } else if (dims.hidden != embedding_->width()) {
      to_embedding_ = register_module(
          "to_embedding",
          torch::nn::Linear(
              torch::nn::LinearOptions(dims.hidden, embedding_->width()).bias(false)));
    }
    if (bias) bias_ = register_parameter("bias", torch::zeros({dims.vocabulary}));
  }

  Tensor embed(const Tensor& tokens, State& state) override {
    return embedding_->embed(tokens, state.pass);
  }

  Tensor log_probs(const Step& step, const State&) override {
    return torch::log_softmax(torch::linear(projected(step), weight(), bias_), -1);  // [R,T,V]
  }

  TokenLoss loss(const Step& step, const Tensor& targets, double label_smoothing,
                 const State&) override {
    const Tensor flat = targets.flatten();                                         // [R·T]
    const Tensor counted = flat.ne(kPad).nonzero().squeeze(1);                     // [N]
    const Tensor hidden = projected(step).flatten(0, 1).index_select(0, counted);  // [N,W]
    const VocabularyLoss sums =
        vocabulary_loss(hidden, weight(), bias_, flat.index_select(0, counted), label_smoothing);
    return {sums.loss, sums.negative_log_probability, counted.size(0), sums.correct};
  }

 private:
  const Tensor& weight() const {
    return weight_.defined() ? weight_ : embedding_->weight();
  }  // [V,W]
  Tensor projected(const Step& step) {
    return to_embedding_ ? to_embedding_(step.hidden) : step.hidden;
  }

  std::shared_ptr<Embedding> embedding_;  // belongs to the model
  torch::nn::Linear to_embedding_;
  Tensor weight_, bias_;
};

}  // namespace

void VocabularyOutputConfig::fields(Fields& f) {
  f.field("bias", bias, "a learned preference for each piece");
}

std::shared_ptr<Output> VocabularyOutputConfig::build(const OutputDims& dims) const {
  return std::make_shared<VocabularyOutput>(dims, bias);
}

}  // namespace heed
