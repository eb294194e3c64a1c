// Training of whole sentences by a metric. The model translates the source, and its translations
// are made more or less probable by their cost Δ, which is 1 minus the score of the metric against
// the reference. With samples y of the model for a source x and the reference y*:
//
//   minimum risk (Shen et al. 2016, equations 11 and 12)
//     Σ_y Q(y) Δ(y, y*),  Q(y) = p(y|x)^α / Σ_y' p(y'|x)^α,  over the distinct samples
//   self-critical (Rennie et al. 2017, section 3.2)
//     1/k Σ_y (Δ(y, y*) - Δ(ŷ, y*)) log p(y|x),  ŷ: the greedy translation
//
// The loss of an update is its mean over the sentences, each weighted by its target tokens, mixed
// with cross-entropy: (1-λ) CE + λ loss. Coverage, guided alignment, supporting facts and the
// auxiliary losses of mechanisms are parts of CE. Samples are drawn without dropout; the draws for a sentence depend on
// seed, update and sentence alone. The language of a multilingual model, which is given to search,
// is not a part of y.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "metric/registry.h"
#include "search/hypothesis.h"
#include "search/search.h"
#include "text/codec.h"
#include "train/objective.h"
#include "train/sequence_loss_config.h"

namespace heed {

// Cost Δ of targets in ids, by a metric of text. Lower is better; the reference has 0.
class TargetCost {
 public:
  TargetCost(const std::string& metric, const MetricOptions& options,
             std::shared_ptr<const Codec> target);
  // example: contains the reference.
  double of(const Ids& target, const Example& example) const;
  const Codec& codec() const { return *codec_; }

 private:
  std::string text_of(const Ids& target, const Example& example) const;

  std::shared_ptr<const Metric> metric_;
  std::shared_ptr<const Codec> codec_;
};

class SequenceObjective final : public Objective {
 public:
  // search: provides the maximum length of the samples.
  SequenceObjective(std::vector<std::string> sources, SequenceLossConfig config, TargetCost cost,
                    const SearchConfig& search, CrossEntropyOptions token_settings);
  // NaN if the model gives probabilities that are NaN.
  ObjectiveLoss loss(Seq2Seq& network, const std::vector<Example>& examples, const Pass& pass,
                     int64_t update_tokens) const override;

 private:
  struct CandidateBatch;
  CandidateBatch draw(Seq2Seq& network, const std::vector<Example>& examples,
                      const Pass& pass) const;
  // Warns when the maximum length cuts samples for the first time.
  void warn_of_cuts(const std::vector<std::vector<Hypothesis>>& samples, int64_t update) const;
  // Requests targets in the language of the reference, if its first token gives the language.
  std::vector<Request> requests(const std::vector<Example>& examples,
                                const SearchConfig& search) const;
  std::vector<Ids> targets_of(const std::vector<Hypothesis>& samples, const Example& example) const;
  std::vector<double> baselines_of(Seq2Seq& network, const std::vector<Example>& examples) const;
  Tensor target_log_probs(Seq2Seq& network, const std::vector<Example>& candidates,
                          const Pass& pass) const;
  Tensor risk(const Tensor& log_probs, const CandidateBatch& candidates) const;
  Tensor self_critical(const Tensor& log_probs, const CandidateBatch& candidates) const;
  ObjectiveLoss mixed_loss(Seq2Seq& network, const std::vector<Example>& examples, const Pass& pass,
                           int64_t update_tokens) const;
  ObjectiveLoss token_loss(Seq2Seq& network, const std::vector<Example>& examples, const Pass& pass,
                           int64_t update_tokens) const;

  std::vector<std::string> sources_;
  SequenceLossConfig config_;
  TargetCost cost_;
  SearchConfig search_;
  bool bf16_, int8_;
  int64_t given_;
  CrossEntropy cross_entropy_;
  mutable std::atomic_flag told_of_cuts_{};
};

}  // namespace heed
