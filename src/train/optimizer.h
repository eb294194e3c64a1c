// The optimizers, each over the one flat buffer of parameters or a shard of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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

  // By all processes, before and after one saves: the state of all shards is brought together.
  void collect();
  void release();
  // Everything a resumed run needs: "steps", and the optimizer state of each parameter by name. Of
  // one shard among several between collect() and release() only.
  NamedTensors state() const;
  // Throws Error(kModel) that begins with `where` if the state belongs to another optimizer or
  // network.
  void load_state(const NamedTensors& state, const std::string& where);

 protected:
  // A buffer of zeros that is part of the state.
  Tensor remember(const std::string& name);
  // Zeros for one parameter that are part of the state.
  Tensor remember(const std::string& name, const std::string& parameter,
                  const std::vector<int64_t>& shape);
  // The gradient is multiplied by `scale` first.
  virtual void apply(double rate, double scale) = 0;

  Tensor values() const { return shard_.values(); }
  Tensor gradient() const { return shard_.gradient(); }

  ParameterShard shard_;
  int64_t steps_ = 0;  // taken, this one included
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

// One that treats each element for itself, block by block (FlatParameters::in_blocks()).
class ElementwiseOptimizer : public Optimizer {
 public:
  using Optimizer::Optimizer;

 protected:
  // What of the buffers is updated.
  struct Block {
    const BufferPart& part;
    Tensor values, gradient;
    Tensor of(const Tensor& buffer) const { return slice_of(buffer, part); }
  };
  virtual void update(const Block& block, double rate) const = 0;

 private:
  void apply(double rate, double scale) final;
};

}  // namespace heed
