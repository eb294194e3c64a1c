#include "train/optimizer_config.h"

namespace heed {

namespace {

constexpr const char* kDecayHelp = "times the parameter, added to its gradient";

}  // namespace

void OptimizerConfig::common_fields(Fields& f, const char* decay_help) {
  f.field("rate", rate, kAboveZero, "learning rate, times the schedule's factor");
  f.field("weight_decay", weight_decay, kZeroOrMore, decay_help);
}

void SgdConfig::fields(Fields& f) {
  common_fields(f, kDecayHelp);
  f.field("momentum", momentum, kDropout, "share of the last step that is taken again");
  f.field("nesterov", nesterov, "look ahead by the momentum");
}

void SgdConfig::validate(Problems& problems) const {
  if (nesterov && momentum == 0) problems.add("nesterov", "needs a momentum above 0");
}

void AdaptiveConfig::adaptive_fields(Fields& f, const char* decay_help) {
  common_fields(f, decay_help);
  f.field("beta1", beta1, kDropout, "decay of the mean of the gradients");
  f.field("beta2", beta2, kDropout, "decay of the mean of their squares");
  f.field("epsilon", epsilon, kAboveZero, "added to the root of the mean square");
}

void AdamConfig::fields(Fields& f) { adaptive_fields(f, kDecayHelp); }

void AdamWConfig::fields(Fields& f) {
  adaptive_fields(f, "share of the parameter taken off at each update, times the rate");
}

const Registry<OptimizerConfig>& optimizers() {
  static const Registry<OptimizerConfig> kinds{
      kind<SgdConfig, OptimizerConfig>("sgd", "gradient descent with momentum"),
      kind<AdamConfig, OptimizerConfig>("adam", "Adam (Kingma and Ba 2015)"),
      kind<AdamWConfig, OptimizerConfig>(
          "adamw", "Adam with decoupled weight decay (Loshchilov and Hutter 2019)"),
  };
  return kinds;
}

}  // namespace heed
