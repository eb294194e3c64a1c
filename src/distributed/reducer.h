// Collective operations of the processes that train one model. All processes call the same
// functions in the same order and get identical bits. Tensors are changed in place.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "distributed/reduction_config.h"
#include "nn/tensor.h"

namespace heed {

// Elements of a flat buffer that belong to one process.
struct BufferPart {
  int64_t begin = 0, size = 0;
};
// Part of a process in a buffer of `elements`. Parts have equal sizes in all processes, up to the
// end of the buffer. They begin at multiples of 64 elements, so that vectorized loops round as in
// the whole buffer.
BufferPart part_of(int64_t elements, int64_t rank, int64_t processes);

class Reducer {
 public:
  virtual ~Reducer() = default;
  virtual int64_t rank() const = 0;       // of this process, from 0
  virtual int64_t processes() const = 0;  // how many there are
  // Replaces the tensor by its sum over the processes, in the order of their ranks.
  virtual void sum(const Tensor& flat, SumPrecision precision) = 0;
  void sum(const Tensor& flat) { sum(flat, SumPrecision::kOwn); }
  // Replaces the tensor by that of process 0.
  virtual void broadcast(const Tensor& flat) = 0;
  // Each process provides the values of its part (part_of()) and receives those of the others.
  virtual void gather_parts(const Tensor& flat) = 0;
  // Collects the bytes of all processes, in the order of their ranks.
  virtual std::vector<std::string> gather(const std::string& bytes) = 0;
  // True if `here` is true in any process.
  virtual bool any(bool here) = 0;

  bool is_first() const { return rank() == 0; }
};

class OneProcess final : public Reducer {
 public:
  int64_t rank() const override { return 0; }
  int64_t processes() const override { return 1; }
  using Reducer::sum;
  void sum(const Tensor&, SumPrecision) override {}
  void broadcast(const Tensor&) override {}
  void gather_parts(const Tensor&) override {}
  std::vector<std::string> gather(const std::string& bytes) override { return {bytes}; }
  bool any(bool here) override { return here; }
};

}  // namespace heed
