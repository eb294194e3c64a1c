#include "train/parameter_shard.h"

#include "nn/torch.h"

namespace heed {

ParameterShard::ParameterShard(FlatParameters& parameters)
    : parameters_(parameters), part_{0, parameters.values().numel()} {}

ParameterShard::ParameterShard(FlatParameters& parameters, Reducer& processes)
    : ParameterShard(parameters) {
  if (processes.processes() == 1) return;
  processes_ = &processes;
  part_ = part_of(part_.size, processes.rank(), processes.processes());
}

Tensor ParameterShard::of(const Tensor& whole) const { return slice_of(whole, part_); }

Tensor ParameterShard::gather(const Tensor& own) const {
  if (is_whole()) return own;
  const Tensor whole = torch::zeros_like(parameters_.values());
  of(whole).copy_(own);
  processes_->gather_parts(whole);
  return whole;
}

void ParameterShard::share_values() const {
  if (!is_whole()) processes_->gather_parts(parameters_.values());
}

}  // namespace heed
