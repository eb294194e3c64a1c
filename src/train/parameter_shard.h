// Part of the parameters that an optimizer of this process updates: all parameters, or one of
// several shards. Each process then keeps the optimizer state of its shard alone (ZeRO, stage 1;
// Rajbhandari et al. 2020).
#pragma once

#include "distributed/reducer.h"
#include "train/flat_parameters.h"

namespace heed {

class ParameterShard {
 public:
  explicit ParameterShard(FlatParameters& parameters);  // all
  // processes: has to outlive the object. With one process the shard is whole.
  ParameterShard(FlatParameters& parameters, Reducer& processes);

  FlatParameters& parameters() const { return parameters_; }
  bool is_whole() const { return processes_ == nullptr; }
  Tensor values() const { return of(parameters_.values()); }      // [n]
  Tensor gradient() const { return of(parameters_.gradient()); }  // [n]

  Tensor of(const Tensor& whole) const;  // [N] -> [n], a view
  // Called by all processes: collects the parts of all shards. [n] -> [N]
  Tensor gather(const Tensor& own) const;
  // Called by all processes: exchanges the updated values.
  void share_values() const;

 private:
  FlatParameters& parameters_;
  Reducer* processes_ = nullptr;
  BufferPart part_;
};

}  // namespace heed
