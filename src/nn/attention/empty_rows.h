// Sentences without readable positions: their context vector is 0, without the bias of a
// projection.
#pragma once

#include "nn/sources.h"
#include "nn/state.h"

namespace heed {

class EmptyRows {
 public:
  explicit EmptyRows(StateLayout& layout) : empty_(layout.memory("empty")) {}
  // Stores which sentences have no readable position; on a CPU stores nothing if there are none, so
  // that the usual case has no cost.
  void put(const Source& source, const StateView& state) const;
  bool any(const StateView& state) const { return state.has(empty_); }
  // context [N,T,V], 0 in those sentences.
  Tensor without(const Tensor& context, const StateView& state) const;

 private:
  MemorySlot empty_;  // [N]
};

}  // namespace heed
