#include "train/optimizer_config.h"

namespace heed {

namespace {

constexpr const char* kDecayHelp = "L2 penalty, added to the gradient";
constexpr const char* kDecoupledHelp = "decoupled weight decay, multiplied by the learning rate";

}  // namespace

void OptimizerConfig::common_fields(Fields& f, const char* decay_help) {
  f.field("rate", rate, kAboveZero, "learning rate; multiplied by the factor of the schedule");
  f.field("weight_decay", weight_decay, kZeroOrMore, decay_help);
  f.peers("rate", {.joeynmt = "learning_rate",
                   .opennmt = "learning_rate",
                   .marian = "learn-rate",
                   .also = "lr"});
}

namespace {

double count_of(const std::vector<int64_t>& shape) {
  double count = 1;
  for (const int64_t size : shape) count *= static_cast<double>(size);
  return count;
}

}  // namespace

double OptimizerConfig::numbers_kept(const std::vector<int64_t>& shape) const {
  return static_cast<double>(numbers_kept()) * count_of(shape);
}

double AdafactorConfig::numbers_kept(const std::vector<int64_t>& shape) const {
  if (shape.size() < 2) return count_of(shape);
  const double rows = static_cast<double>(shape[shape.size() - 2]),
               columns = static_cast<double>(shape.back());
  return count_of(shape) / columns + count_of(shape) / rows;
}

void SgdConfig::fields(Fields& f) {
  common_fields(f, kDecayHelp);
  f.field("momentum", momentum, kDropout, "momentum");
  f.field("nesterov", nesterov, "Nesterov momentum");
}

void SgdConfig::validate(Problems& problems) const {
  if (nesterov && momentum == 0) problems.add("nesterov", "needs a momentum above 0");
}

void AdagradConfig::fields(Fields& f) {
  common_fields(f, kDecayHelp);
  f.field("initial", initial, Range{0, 1e30}, "sum of squared gradients at the start");
  f.field("epsilon", epsilon, kAboveZero, "ε: added to the square root of the sum");
}

void RmspropConfig::fields(Fields& f) {
  common_fields(f, kDecayHelp);
  f.field("decay", decay, kDropout, "decay rate of the mean squared gradient");
  f.field("momentum", momentum, kDropout, "momentum");
  f.field("epsilon", epsilon, kAboveZero, "ε: added to the square root of the mean");
}

void AdadeltaConfig::fields(Fields& f) {
  common_fields(f, kDecayHelp);
  f.field("decay", decay, kDropout, "ρ: decay rate of the mean squares of gradient and update");
  f.field("epsilon", epsilon, kAboveZero, "ε: added to both mean squares");
}

void AdafactorConfig::fields(Fields& f) {
  common_fields(f, kDecoupledHelp);
  f.field("decay", decay, kFraction, "β2 of step t is 1 - t^-decay");
  f.field("clip", clip, kAboveZero,
          "d: maximum root mean square of the update of a parameter, before the learning rate");
  f.field("scale_parameter", scale_parameter,
          "multiply the learning rate by the root mean square of the parameter, at least 0.001");
}

void AdaptiveConfig::adaptive_fields(Fields& f, const char* decay_help) {
  common_fields(f, decay_help);
  f.field("beta1", beta1, kDropout, "β1: decay rate of the first moment");
  f.field("beta2", beta2, kDropout, "β2: decay rate of the second moment");
  f.field("epsilon", epsilon, kAboveZero, "ε: added to the square root of the second moment");
  f.peers("beta1", {.joeynmt = "adam_betas",
                    .opennmt = "adam_beta1",
                    .marian = "optimizer-params",
                    .also = "betas"});
  f.peers("beta2", {.joeynmt = "adam_betas",
                    .opennmt = "adam_beta2",
                    .marian = "optimizer-params",
                    .also = "betas"});
}

void AdamConfig::fields(Fields& f) { adaptive_fields(f, kDecayHelp); }

void AdamWConfig::fields(Fields& f) { adaptive_fields(f, kDecoupledHelp); }

namespace kinds {
Kind<OptimizerConfig> sgd() {
  return kind<SgdConfig, OptimizerConfig>("sgd", "stochastic gradient descent with momentum");
}
Kind<OptimizerConfig> adagrad() {
  return kind<AdagradConfig, OptimizerConfig>("adagrad", "AdaGrad (Duchi 2011)");
}
Kind<OptimizerConfig> rmsprop() {
  return kind<RmspropConfig, OptimizerConfig>("rmsprop", "RMSProp (Tieleman and Hinton 2012)");
}
Kind<OptimizerConfig> adadelta() {
  return kind<AdadeltaConfig, OptimizerConfig>("adadelta", "Adadelta (Zeiler 2012)");
}
Kind<OptimizerConfig> adam() {
  return kind<AdamConfig, OptimizerConfig>("adam", "Adam (Kingma and Ba 2015)");
}
Kind<OptimizerConfig> adamw() {
  return kind<AdamWConfig, OptimizerConfig>(
      "adamw", "Adam with decoupled weight decay (Loshchilov and Hutter 2019)");
}
Kind<OptimizerConfig> adafactor() {
  return kind<AdafactorConfig, OptimizerConfig>(
      "adafactor", "Adafactor (Shazeer and Stern 2018): second moments in factored form");
}
}  // namespace kinds

const Registry<OptimizerConfig>& optimizers() {
  static const Registry<OptimizerConfig> list{
#define KIND(Config, optimizer) kinds::optimizer(),
#include "train/optimizers.def"
#undef KIND
  };
  return list;
}

}  // namespace heed
