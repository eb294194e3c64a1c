// Optimizers, each over the flat buffer of all parameters or a shard of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nn/builder.h"
#include "train/optimizer_config.h"
#include "train/parameter_shard.h"
#include "train/parts.h"

namespace heed {

class Optimizer : public Stepper {
 public:
  explicit Optimizer(const ParameterShard& shard) : shard_(shard) {}

  double gradient_norm() override;
  void step(double rate, double scale) final;
  std::optional<std::string> not_finite() override;

  // Called by all processes before and after one of them saves: collects the state of all shards.
  void collect();
  void release();
  // Everything a resumed run needs: "steps", and the optimizer state of each parameter by name.
  // With several shards only between collect() and release().
  NamedTensors state() const;
  // Throws Error(kModel) that begins with `where` if the state belongs to another optimizer or
  // network.
  void load_state(const NamedTensors& state, const std::string& where);

 protected:
  // Makes a buffer of zeros that is part of the state.
  Tensor remember(const std::string& name);
  // Makes zeros for one parameter that are part of the state.
  Tensor remember(const std::string& name, const std::string& parameter,
                  const std::vector<int64_t>& shape);
  // Multiplies the gradient by `scale` first.
  virtual void apply(double rate, double scale) = 0;

  Tensor values() const { return shard_.values(); }
  Tensor gradient() const { return shard_.gradient(); }

  ParameterShard shard_;
  int64_t steps_ = 0;  // including this one
 private:
  struct Slot {
    std::string name;
    Tensor buffer;   // [n]
    Tensor whole{};  // [N], after collect()
  };
  // Views of a buffer of all parameters. [N]
  NamedTensors by_parameter(const Slot& slot, const Tensor& whole) const;
  // Names and shapes of the state.
  NamedTensors layout() const;
  void load_slot(const Slot& slot, const NamedTensors& state) const;
  std::vector<Slot> slots_;
  NamedTensors others_;
};

// An optimizer that processes each element separately, block by block
// (FlatParameters::in_blocks()).
class ElementwiseOptimizer : public Optimizer {
 public:
  using Optimizer::Optimizer;

 protected:
  // Part of the buffers that is updated.
  struct Block {
    const BufferPart& part;
    Tensor values, gradient;
    Tensor of(const Tensor& buffer) const { return slice_of(buffer, part); }
  };
  virtual void update(const Block& block, double rate) const = 0;

 private:
  void apply(double rate, double scale) final;
};

template <>
struct Builder<OptimizerConfig> {
  using Function = std::unique_ptr<Optimizer>(const OptimizerConfig& config,
                                              const ParameterShard& shard);
};

namespace builders {
#define KIND(Config, optimizer) Builder<Config>::Function optimizer;
#include "train/optimizers.def"
#undef KIND
}  // namespace builders

// Builds the optimizer with its state at zero. Shards of several processes only if
// updates_elements() of the settings.
std::unique_ptr<Optimizer> build(const OptimizerConfig& config, const ParameterShard& shard);

}  // namespace heed
