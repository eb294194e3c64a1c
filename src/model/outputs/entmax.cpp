// A sparse distribution over the vocabulary, most of whose tokens have probability 0 (Peters et al.
// 2019): sparsemax or entmax15 (nn/simplex_projection.h) of the scores z, with their loss
//   L(z, q) = p·z - q·z + H_α(p) - H_α(q),  p: the projection of z   (equation 11)
// whose gradient by z is p - q. q is the target, or with label smoothing (Peters and Martins 2021)
// (1-ε) of it and ε of the uniform distribution.
#include <cmath>

#include "nn/torch.h"

#include "model/builders.h"
#include "model/outputs/copying.h"
#include "model/outputs/entmax_config.h"
#include "model/outputs/vocabulary_scores.h"
#include "nn/simplex_projection.h"
#include "text/vocabulary.h"

namespace heed {

namespace {

// H_α of each row of p [N,V], summed.  []
Tensor entropy(const Tensor& p, double alpha) {
  return (static_cast<double>(p.size(0)) - p.pow(alpha).sum()) / (alpha * (alpha - 1));
}

// H_α of (1-ε) of one of V tokens and ε of all.
double entropy_of_target(double smoothing, double vocabulary, double alpha) {
  const double other = smoothing / vocabulary, own = 1 - smoothing + other;
  const double sum = std::pow(own, alpha) + (vocabulary - 1) * std::pow(other, alpha);
  return (1 - sum) / (alpha * (alpha - 1));
}

class EntmaxOutput final : public VocabularyScores {
 public:
  EntmaxOutput(const OutputDims& dims, std::shared_ptr<Embedding> embedding,
               const EntmaxOutputConfig& config)
      : VocabularyScores(dims, std::move(embedding), config.bias), projection_(config.alpha) {}

  Tensor log_probs(const Step& step, const StateView&) override {
    return log_of_mass(project_on_simplex(scores(step.hidden), projection_));  // [R,T,V]
  }

  Tensor target_log_probs(const Step& step, const Tensor& targets, const StateView&) override {
    const Tensor p = project_on_simplex(scores(step.hidden), projection_);  // [R,T,V]
    const Tensor found = p.gather(2, targets.unsqueeze(2)).squeeze(2);      // [R,T]
    return found.clamp_min(kLeastProbability).log().masked_fill(targets == kPad, 0);
  }

  TokenLoss loss(const Step& step, const Tensor& targets, double label_smoothing,
                 const StateView&) override {
    const CountedTargets counted(targets);
    const Tensor right = counted.ids.unsqueeze(1);                 // [N,1]
    const Tensor z = counted.rows_of(scores(step.hidden));         // [N,V]
    const Tensor p = project_on_simplex(z.detach(), projection_);  // [N,V]
    const Tensor expected = (1 - label_smoothing) * z.gather(1, right).sum() +
                            label_smoothing * z.mean(1).sum();  // q·z, summed
    const double alpha = alpha_of(projection_);
    const double of_targets =
        entropy_of_target(label_smoothing, static_cast<double>(vocabulary()), alpha) *
        static_cast<double>(counted.size());
    const Tensor found = p.gather(1, right).clamp_min(kLeastProbability);  // [N,1]
    return {(p * z).sum() - expected + entropy(p, alpha) - of_targets,
            -found.log().sum().to(torch::kDouble), counted.size(),
            z.argmax(1, true).eq(right).sum()};
  }

 private:
  SimplexProjection projection_;
};

}  // namespace

std::shared_ptr<Output> builders::entmax_output(const OutputConfig& config, const OutputDims& dims,
                                                std::shared_ptr<Embedding> embedding) {
  return std::make_shared<EntmaxOutput>(dims, std::move(embedding),
                                        settings_as<EntmaxOutputConfig>(config));
}

}  // namespace heed
