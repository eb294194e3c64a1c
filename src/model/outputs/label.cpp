// One label: the target is one token, then kEnd (Yang et al. 2016, equation 11):
//   p = softmax(W_c v + b_c)
// of Step::hidden v, over the labels: the vocabulary without the tokens that pad, begin and end.
#include "nn/torch.h"

#include "model/builders.h"
#include "model/outputs/copying.h"
#include "model/outputs/label_config.h"
#include "model/outputs/vocabulary_scores.h"
#include "text/vocabulary.h"

namespace heed {

namespace {

class LabelOutput final : public VocabularyScores {
 public:
  using VocabularyScores::VocabularyScores;

  Tensor log_probs(const Step& step, const StateView& state) override {
    Tensor never = torch::zeros({vocabulary()}, torch::kBool);
    for (const int64_t id : {kPad, kBegin, kEnd}) never.select(0, id).fill_(true);
    const Tensor labels = torch::log_softmax(
        scores(step.hidden).masked_fill(never.to(step.hidden.device()), kNever), -1);  // [R,T,V]
    return torch::where(is_first_token(step, state), labels, end_alone(labels));
  }
};

}  // namespace

std::shared_ptr<Output> builders::label_output(const OutputConfig& config, const OutputDims& dims,
                                               std::shared_ptr<Embedding> embedding) {
  return std::make_shared<LabelOutput>(dims, std::move(embedding),
                                       settings_as<LabelConfig>(config).bias);
}

}  // namespace heed
