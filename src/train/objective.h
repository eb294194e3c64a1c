// The training objective: for a shard, its part of the mean loss over the target tokens of an
// update.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/batch.h"
#include "model/seq2seq.h"
#include "train/coverage_loss.h"
#include "train/loss_sums.h"

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

// Cross-entropy with label smoothing, the coverage loss in training, and the auxiliary losses of
// mechanisms, each times its weight, over the tokens that count. Sampled choices are trained by
// REINFORCE.
class CrossEntropy final : public Objective {
 public:
  CrossEntropy(std::vector<std::string> sources, double label_smoothing,
               CoverageConfig coverage = {})
      : sources_(std::move(sources)),
        label_smoothing_(label_smoothing),
        coverage_(std::move(coverage)) {}
  ObjectiveLoss loss(Seq2Seq& network, const std::vector<Example>& examples, const Pass& pass,
                     int64_t update_tokens) const override;

 private:
  std::vector<std::string> sources_;
  double label_smoothing_;
  CoverageConfig coverage_;
};

TargetBatch target_batch(const std::vector<Example>& examples, torch::Device device);

}  // namespace heed
