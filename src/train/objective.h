// The training objective: for a shard, its part of the mean loss over the target tokens of an
// update.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/batch.h"
#include "model/seq2seq.h"
#include "train/coverage_config.h"
#include "train/coverage_loss.h"
#include "train/guided_alignment.h"
#include "train/loss_sums.h"
#include "train/scheduled_sampling.h"
#include "train/scheduled_sampling_config.h"
#include "train/supporting_facts_loss.h"

namespace heed {

struct ObjectiveLoss {
  Tensor loss;    // [] to go backward from, divided by the update's target tokens
  LossSums sums;  // not divided
};

class Objective {
 public:
  virtual ~Objective() = default;
  virtual ObjectiveLoss loss(Seq2Seq& network, const std::vector<Example>& examples,
                             const Pass& pass, int64_t update_tokens) const = 0;
};

struct CrossEntropyOptions {
  double label_smoothing = 0;
  CoverageConfig coverage{};
  GuidedAlignmentConfig guided_alignment{};
  double supporting_facts = 0;  // weight α of the loss (supporting_facts_loss.h)
  double r_drop = 0;            // α
  std::optional<ScheduledSamplingConfig> scheduled_sampling{};
  int64_t given = 0;  // target tokens that search is given: the language
  bool bf16 = false;  // products in bfloat16 (nn/product.h)
  bool int8 = false;  // products as in translation with int8 (nn/int8_training.h)
};

// Cross-entropy with label smoothing, in training the losses of the attention over the source
// (coverage, guided alignment, supporting facts), and the auxiliary losses of mechanisms, each times its weight, over
// the tokens that count. Sampled choices are trained by REINFORCE.
//
// R-Drop (Liang et al. 2021, equations 2 and 3, divided by 2): with distributions p and q of two
// passes of unequal dropout, ½ (loss(p) + loss(q)) + α/4 (KL(p‖q) + KL(q‖p)).
class CrossEntropy final : public Objective {
 public:
  explicit CrossEntropy(std::vector<std::string> sources, CrossEntropyOptions settings = {})
      : sources_(std::move(sources)), settings_(std::move(settings)) {}
  ObjectiveLoss loss(Seq2Seq& network, const std::vector<Example>& examples, const Pass& pass,
                     int64_t update_tokens) const override;

 private:
  class Links;
  struct Forward;
  bool reads_weights(const Pass& pass) const;
  void add_attention_losses(Forward& forward, const TargetBatch& target) const;
  Tensor auxiliary(Seq2Seq& network, Forward& forward, const TargetBatch& target) const;
  TokenLoss loss_of(Seq2Seq& network, Forward& forward, const TargetBatch& target) const;

  std::vector<std::string> sources_;
  CrossEntropyOptions settings_;
};

// An objective with gradient checkpointing: layers are computed again in the backward pass
// (nn/recompute.h).
class RecomputingObjective final : public Objective {
 public:
  explicit RecomputingObjective(std::unique_ptr<Objective> objective)
      : objective_(std::move(objective)) {}
  ObjectiveLoss loss(Seq2Seq& network, const std::vector<Example>& examples, const Pass& pass,
                     int64_t update_tokens) const override {
    Pass recomputing = pass;
    recomputing.recomputes = true;
    return objective_->loss(network, examples, recomputing, update_tokens);
  }

 private:
  std::unique_ptr<Objective> objective_;
};

TargetBatch target_batch(const std::vector<Example>& examples, torch::Device device);

}  // namespace heed
