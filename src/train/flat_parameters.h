// All parameters of a network in one buffer, so that a step of the optimizer is one operation, the
// sum of several workers' gradients is one addition and the norm is one pass.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <torch/nn/module.h>

#include "distributed/reducer.h"
#include "model/safetensors.h"
#include "nn/tensor.h"
#include "train/worker_team.h"

namespace heed {

class FlatParameters {
 public:
  // Moves the parameters into the buffer: each becomes a view of it, and keeps its name and shape.
  // A shared parameter is stored once.
  explicit FlatParameters(torch::nn::Module& network);

  Tensor& values() { return values_; }      // [N]
  Tensor& gradient() { return gradient_; }  // [N], which the network's own .grad are views of
  int64_t count() const { return count_; }  // of parameters, without padding between them

  // From now on the team has so many threads.
  void use_threads(int64_t count);
  WorkerTeam& team() const { return *team_; }
  // Passes over buffers of [n] that treat each element for itself: calls pass(block) for the blocks
  // of [0,n), in the threads of the team, each of which has a contiguous part; on a GPU there is one
  // block. Where blocks begin does not depend on the number of threads; they are small enough for a
  // cache of a core, so that the operations of a pass read the memory once. Without gradient.
  using BlockPass = std::function<void(const BufferPart& block)>;
  void in_blocks(int64_t size, const BlockPass& pass) const;
  // The Euclidean norm of a buffer, summed in double precision; not finite if any element is not.
  double norm(const Tensor& buffer) const;

  // Parameters that keep their values, in place of those of an earlier call: the gradient is
  // cleared, and the values are put back after a step, whatever an optimizer does with parameters
  // without a gradient.
  void freeze(const std::set<std::string>& names);
  void clear_frozen_gradient();
  void restore_frozen();
  // Names of all parameters.
  std::vector<std::string> names() const;
  // Where each begins in the buffer; the next one, or the end of the buffer, is its end.
  std::vector<int64_t> begins() const;

  // A gradient buffer of its own for a replica of the network. [N], zeros
  Tensor attach_gradient(torch::nn::Module& replica) const;
  // The gradients of a replica go to this buffer.
  void attach(torch::nn::Module& replica, const Tensor& gradient) const;
  // A buffer of the same layout by the names of the parameters, as views; for saving and loading.
  NamedTensors named(const Tensor& buffer, const std::string& prefix) const;

 private:
  struct Part {
    std::string name;
    int64_t offset;
    std::vector<int64_t> shape;
  };
  Tensor view(const Tensor& buffer, const Part& part) const;

  struct Frozen {
    Part part;
    Tensor values;
  };

  std::vector<Part> parts_;
  std::vector<Frozen> frozen_;
  std::unique_ptr<WorkerTeam> team_ = std::make_unique<WorkerTeam>(1);
  Tensor values_, gradient_;
  int64_t count_ = 0;
};

// Those of the network by name, in their order, a shared one once.
std::vector<std::pair<std::string, Tensor>> unique_parameters(const torch::nn::Module& network);

// A view of a part of a buffer.
Tensor slice_of(const Tensor& buffer, const BufferPart& part);
// total = the sum of two or more terms of its size, in their order. Without gradient.
void set_sum(Tensor total, const std::vector<Tensor>& terms);

// As FlatParameters::norm(), in the calling thread.
double norm_of(const Tensor& buffer);

}  // namespace heed
