// The settings of `train:` that a phase of the training can change (phase_config.h): what an update
// is made of.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"
#include "data/batch_limit.h"
#include "text/subword_regularization.h"
#include "train/coverage_config.h"
#include "train/guided_alignment_config.h"
#include "train/optimizer_config.h"
#include "train/schedule_config.h"
#include "train/scheduled_sampling_config.h"
#include "train/sequence_loss_config.h"
#include "train/supporting_facts_config.h"

namespace heed {

struct LearningConfig : Settings {
  BatchConfig batch;
  int64_t accumulate = 1;
  std::shared_ptr<OptimizerConfig> optimizer;  // adam
  std::shared_ptr<ScheduleConfig> schedule;    // constant
  double clip = 1;
  double label_smoothing = 0;
  CoverageConfig coverage;
  GuidedAlignmentConfig guided_alignment;
  SupportingFactsConfig supporting_facts;
  double r_drop = 0;  // α of CrossEntropy
  bool int8 = false;  // nn/int8_training.h
  std::optional<ScheduledSamplingConfig> scheduled_sampling;
  std::optional<SubwordRegularizationConfig> subword_regularization;
  std::optional<SequenceLossConfig> sequence_loss;
  std::vector<std::string> freeze;  // patterns (parameter_pattern.h)

  LearningConfig();
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
};

}  // namespace heed
