#include "model/outputs/vocabulary.h"

#include "nn/torch.h"

#include "model/outputs/vocabulary_scores.h"
#include "nn/target_log_softmax.h"
#include "nn/vocabulary_loss.h"
#include "text/vocabulary.h"

namespace heed {

namespace {

class VocabularyOutput final : public VocabularyScores {
 public:
  using VocabularyScores::VocabularyScores;

  Tensor log_probs(const Step& step, const StateView&) override {
    return torch::log_softmax(scores(step), -1);  // [R,T,V]
  }

  Tensor target_log_probs(const Step& step, const Tensor& targets, const StateView&) override {
    const Tensor flat = targets.flatten();                                         // [R·T]
    const Tensor counted = flat.ne(kPad).nonzero().squeeze(1);                     // [N]
    const Tensor hidden = projected(step).flatten(0, 1).index_select(0, counted);  // [N,W]
    const Tensor found = target_log_softmax(hidden, weight(), bias(), flat.index_select(0, counted))
                             .log_probs.squeeze(1);  // [N]
    return torch::zeros(flat.sizes(), found.options().requires_grad(false))
        .index_put({counted}, found)
        .view(targets.sizes());
  }

  TokenLoss loss(const Step& step, const Tensor& targets, double label_smoothing,
                 const StateView&) override {
    const Tensor flat = targets.flatten();                                         // [R·T]
    const Tensor counted = flat.ne(kPad).nonzero().squeeze(1);                     // [N]
    const Tensor hidden = projected(step).flatten(0, 1).index_select(0, counted);  // [N,W]
    const VocabularyLoss sums =
        vocabulary_loss(hidden, weight(), bias(), flat.index_select(0, counted), label_smoothing);
    return {sums.loss, sums.negative_log_probability, counted.size(0), sums.correct};
  }
};

}  // namespace

void VocabularyOutputConfig::fields(Fields& f) const {
  f.field("bias", bias, "add a bias for each token");
}

std::shared_ptr<Output> VocabularyOutputConfig::build(const OutputDims& dims,
                                                      std::shared_ptr<Embedding> embedding) const {
  return std::make_shared<VocabularyOutput>(dims, std::move(embedding), bias);
}

}  // namespace heed
