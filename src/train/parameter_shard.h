// The part of the parameters that an optimizer of this process updates: all, or the shard of one of
// several processes, each of which then keeps the optimizer's state of its shard alone (ZeRO, stage 1;
// Rajbhandari et al. 2020).
#pragma once

#include "distributed/reducer.h"
#include "train/flat_parameters.h"

namespace heed {

class ParameterShard {
 public:
  explicit ParameterShard(FlatParameters& parameters);  // all
  // processes: has to outlive this; one process: all.
  ParameterShard(FlatParameters& parameters, Reducer& processes);

  FlatParameters& parameters() const { return parameters_; }
  bool is_whole() const { return processes_ == nullptr; }
  Tensor values() const { return of(parameters_.values()); }      // [n]
  Tensor gradient() const { return of(parameters_.gradient()); }  // [n]

  Tensor of(const Tensor& whole) const;  // [N] -> [n], a view
  // By all processes: what each of them has of its shard. [n] -> [N]
  Tensor gather(const Tensor& own) const;
  // By all processes: the values that the others have updated.
  void share_values() const;

 private:
  FlatParameters& parameters_;
  Reducer* processes_ = nullptr;
  BufferPart part_;
};

}  // namespace heed
