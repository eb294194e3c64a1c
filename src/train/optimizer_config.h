// Kinds of optimizers and their settings, without tensors (optimizer.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "config/fields.h"

namespace heed {

struct OptimizerConfig : KindSettings {
  double rate = 0.001;  // times the schedule's factor
  double weight_decay = 0;
  // True if the update of an element depends on that element alone.
  virtual bool updates_elements() const { return true; }
  // Number of values kept for each parameter.
  virtual int64_t numbers_kept() const = 0;
  // The same for a tensor of this shape.
  virtual double numbers_kept(const std::vector<int64_t>& shape) const;

 protected:
  void common_fields(Fields& f, const char* decay_help);
};
const Registry<OptimizerConfig>& optimizers();

// v ← momentum · v + (gradient + weight_decay · p);  p ← p − rate · v (with Nesterov: gradient +
// momentum · v)
struct SgdConfig final : OptimizerConfig {
  double momentum = 0;
  bool nesterov = false;
  SgdConfig() { rate = 0.1; }
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
  using OptimizerConfig::numbers_kept;
  int64_t numbers_kept() const override { return momentum > 0 ? 1 : 0; }
};

struct AdaptiveConfig : OptimizerConfig {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  using OptimizerConfig::numbers_kept;
  int64_t numbers_kept() const override { return 2; }  // means of the gradient and of its square

 protected:
  void adaptive_fields(Fields& f, const char* decay_help);
};

// Duchi, Hazan and Singer 2011: s ← s + gradient²;  p ← p − rate · gradient / (√s + epsilon), with
// s = initial at the start; weight decay is added to the gradient.
struct AdagradConfig final : OptimizerConfig {
  double initial = 0;
  double epsilon = 1e-10;
  AdagradConfig() { rate = 0.01; }
  void fields(Fields& f) override;
  using OptimizerConfig::numbers_kept;
  int64_t numbers_kept() const override { return 1; }
};

// Tieleman and Hinton 2012: s ← decay · s + (1 − decay) · gradient²;  v ← momentum · v + gradient /
// (√s + epsilon);  p ← p − rate · v; weight decay is added to the gradient.
struct RmspropConfig final : OptimizerConfig {
  double decay = 0.99;
  double momentum = 0;
  double epsilon = 1e-8;
  RmspropConfig() { rate = 0.01; }
  void fields(Fields& f) override;
  using OptimizerConfig::numbers_kept;
  int64_t numbers_kept() const override { return momentum > 0 ? 2 : 1; }
};

// Zeiler 2012, algorithm 1: s ← decay · s + (1 − decay) · gradient²;  d = gradient · √(u + epsilon)
// / √(s + epsilon);  u ← decay · u + (1 − decay) · d²;  p ← p − rate · d; weight decay is added to
// the gradient.
struct AdadeltaConfig final : OptimizerConfig {
  double decay = 0.9;
  double epsilon = 1e-6;
  AdadeltaConfig() { rate = 1; }
  void fields(Fields& f) override;
  using OptimizerConfig::numbers_kept;
  int64_t numbers_kept() const override { return 2; }
};

// Shazeer and Stern 2018, algorithms 4 and 5, with the rate of the schedule as ρ: the second moment
// of a matrix is kept as the means of its rows and columns (adafactor.cpp).
struct AdafactorConfig final : OptimizerConfig {
  double decay = 0.8;  // β2 of step t is 1 − t^−decay
  double clip = 1;     // d: the largest root mean square of an update before the rate
  bool scale_parameter = true;
  AdafactorConfig() { rate = 0.01; }
  void fields(Fields& f) override;
  bool updates_elements() const override { return false; }
  using OptimizerConfig::numbers_kept;
  int64_t numbers_kept() const override { return 0; }
  // A matrix has one value for each row and column.
  double numbers_kept(const std::vector<int64_t>& shape) const override;
};

// Kingma and Ba 2015, algorithm 1, with bias correction; weight decay is added to the gradient.
struct AdamConfig final : AdaptiveConfig {
  void fields(Fields& f) override;
};

// Loshchilov and Hutter 2019, algorithm 2: p ← p · (1 − rate · weight_decay) beside Adam's step.
struct AdamWConfig final : AdaptiveConfig {
  AdamWConfig() { weight_decay = 0.01; }
  void fields(Fields& f) override;
};

namespace kinds {
#define KIND(Config, optimizer) Kind<Config> optimizer();
#include "train/optimizers.def"
#undef KIND
}  // namespace kinds

}  // namespace heed
