#include "train/optimizer_config.h"

namespace heed {

namespace {

constexpr const char* kDecayHelp = "L2 penalty, added to the gradient";

}  // namespace

void OptimizerConfig::common_fields(Fields& f, const char* decay_help) const {
  f.field("rate", rate, kAboveZero, "learning rate; multiplied by the factor of the schedule");
  f.field("weight_decay", weight_decay, kZeroOrMore, decay_help);
}

void SgdConfig::fields(Fields& f) const {
  common_fields(f, kDecayHelp);
  f.field("momentum", momentum, kDropout, "momentum");
  f.field("nesterov", nesterov, "Nesterov momentum");
}

void SgdConfig::validate(Problems& problems) const {
  if (nesterov && momentum == 0) problems.add("nesterov", "needs a momentum above 0");
}

void AdaptiveConfig::adaptive_fields(Fields& f, const char* decay_help) const {
  common_fields(f, decay_help);
  f.field("beta1", beta1, kDropout, "β1: decay rate of the first moment");
  f.field("beta2", beta2, kDropout, "β2: decay rate of the second moment");
  f.field("epsilon", epsilon, kAboveZero, "ε: added to the square root of the second moment");
}

void AdamConfig::fields(Fields& f) const { adaptive_fields(f, kDecayHelp); }

void AdamWConfig::fields(Fields& f) const {
  adaptive_fields(f, "decoupled weight decay, multiplied by the learning rate");
}

const Registry<OptimizerConfig>& optimizers() {
  static const Registry<OptimizerConfig> kinds{
      kind<SgdConfig, OptimizerConfig>("sgd", "stochastic gradient descent with momentum"),
      kind<AdamConfig, OptimizerConfig>("adam", "Adam (Kingma and Ba 2015)"),
      kind<AdamWConfig, OptimizerConfig>(
          "adamw", "Adam with decoupled weight decay (Loshchilov and Hutter 2019)"),
  };
  return kinds;
}

}  // namespace heed
