// Softmax over the vocabulary.
#include "nn/torch.h"

#include "model/builders.h"
#include "model/outputs/vocabulary_config.h"
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
    return torch::log_softmax(scores(step.hidden), -1);  // [R,T,V]
  }

  Tensor target_log_probs(const Step& step, const Tensor& targets, const StateView&) override {
    const CountedTargets counted(targets);
    const Tensor hidden = counted.rows_of(projected(step.hidden));  // [N,W]
    const Tensor found =
        target_log_softmax(hidden, weight(), bias(), counted.ids).log_probs.squeeze(1);  // [N]
    return torch::zeros({targets.numel()}, found.options().requires_grad(false))
        .index_put({counted.positions}, found)
        .view(targets.sizes());
  }

  TokenLoss loss(const Step& step, const Tensor& targets, double label_smoothing,
                 const StateView&) override {
    const CountedTargets counted(targets);
    const VocabularyLoss sums = vocabulary_loss(counted.rows_of(projected(step.hidden)), weight(),
                                                bias(), counted.ids, label_smoothing);
    return {sums.loss, sums.negative_log_probability, counted.size(), sums.correct};
  }
};

}  // namespace

std::shared_ptr<Output> builders::vocabulary_output(const OutputConfig& config,
                                                    const OutputDims& dims,
                                                    std::shared_ptr<Embedding> embedding) {
  return std::make_shared<VocabularyOutput>(dims, std::move(embedding),
                                            settings_as<VocabularyOutputConfig>(config).bias);
}

}  // namespace heed
