// All parameters of a network in one buffer, so that a step of the optimizer is one operation, the
// sum of the gradients of several workers is one addition, and the norm is one pass.
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
  // A shared parameter is stored once. Those that require no gradient stay where they are.
  explicit FlatParameters(torch::nn::Module& network);
  // The same for tensors with names.
  explicit FlatParameters(const std::vector<std::pair<std::string, Tensor>>& parameters);

  Tensor& values() { return values_; }      // [N]
  Tensor& gradient() { return gradient_; }  // [N], viewed by .grad of the network's parameters
  int64_t count() const { return count_; }  // of parameters, without padding between them

  // Sets the number of threads of the team.
  void use_threads(int64_t count);
  WorkerTeam& team() const { return *team_; }
  // Passes over buffers of [n] that process each element separately: calls pass(block) for the
  // blocks of [0,n), in the threads of the team, each of which has a contiguous part. On a GPU
  // there is one block. Block boundaries do not depend on the number of threads. Blocks fit into
  // the cache of a core, so that the operations of a pass read the memory once. Without gradient.
  using BlockPass = std::function<void(const BufferPart& block)>;
  void in_blocks(int64_t size, const BlockPass& pass) const;
  // Euclidean norm of a buffer, summed in double precision; not finite if any element is not.
  double norm(const Tensor& buffer) const;

  // Sets the parameters that keep their values; replaces those of an earlier call. Their gradient
  // is cleared, and their values are restored after a step, whatever an optimizer does with
  // parameters without a gradient.
  void freeze(const std::set<std::string>& names);
  // Sets a row of a parameter to zeros, which it keeps in the same way, in all phases.
  void keep_zeros(const std::string& name, int64_t row);
  void clear_frozen_gradient();
  void restore_frozen();
  // Names of all parameters.
  std::vector<std::string> names() const;
  // Offset of each parameter in the buffer. A parameter ends at the next offset, or at the end of
  // the buffer.
  std::vector<int64_t> begins() const;

  // Makes a separate gradient buffer for a replica of the network. [N], zeros
  Tensor attach_gradient(torch::nn::Module& replica) const;
  // Directs the gradients of a replica to this buffer.
  void attach(torch::nn::Module& replica, const Tensor& gradient) const;
  // Views of a buffer of the same layout by the names of the parameters; for saving and loading.
  NamedTensors named(const Tensor& buffer, const std::string& prefix) const;

 private:
  struct Part {
    std::string name;
    int64_t offset;
    std::vector<int64_t> shape;
  };
  Tensor view(const Tensor& buffer, const Part& part) const;
  void attach(const std::vector<std::pair<std::string, Tensor>>& parameters,
              const Tensor& gradient) const;

  struct Frozen {
    Part part;
    Tensor values;
  };

  std::vector<Part> parts_;
  std::vector<Frozen> frozen_;
  std::vector<Part> zeros_;
  std::unique_ptr<WorkerTeam> team_ = std::make_unique<WorkerTeam>(1);
  Tensor values_, gradient_;
  int64_t count_ = 0;
};

// Parameters of the network with their names, in order; a shared parameter is listed once.
std::vector<std::pair<std::string, Tensor>> unique_parameters(const torch::nn::Module& network);
// Parameters that require a gradient.
std::vector<std::pair<std::string, Tensor>> trained_parameters(const torch::nn::Module& network);

// A view of a part of a buffer.
Tensor slice_of(const Tensor& buffer, const BufferPart& part);
// Sets total to the sum of two or more terms of its size, in their order. Without gradient.
void set_sum(Tensor total, const std::vector<Tensor>& terms);

// Same as FlatParameters::norm(), in the calling thread.
double norm_of(const Tensor& buffer);

}  // namespace heed
