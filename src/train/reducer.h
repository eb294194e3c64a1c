// What the processes that train one model together do with what each of them has. Each calls the same
// functions in the same order, and all get the same bits. Tensors are changed in place.
#pragma once

#include <cstdint>

#include "nn/tensor.h"

namespace heed {

class Reducer {
 public:
  virtual ~Reducer() = default;
  virtual int64_t rank() const = 0;       // of this process, from 0
  virtual int64_t processes() const = 0;  // how many there are
  // Becomes the sum over the processes, in the order of their ranks.
  virtual void sum(const Tensor& flat) = 0;
  // Becomes what process 0 has.
  virtual void broadcast(const Tensor& flat) = 0;
  // Whether it holds in any of them.
  virtual bool any(bool here) = 0;
};

class OneProcess final : public Reducer {
 public:
  int64_t rank() const override { return 0; }
  int64_t processes() const override { return 1; }
  void sum(const Tensor&) override {}
  void broadcast(const Tensor&) override {}
  bool any(bool here) override { return here; }
};

}  // namespace heed
