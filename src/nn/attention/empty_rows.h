// Sentences with nothing to read: their context is 0, whatever a projection adds to nothing.
#pragma once

#include "nn/sources.h"
#include "nn/state.h"

namespace heed {

class EmptyRows {
 public:
  explicit EmptyRows(StateLayout& layout) : empty_(layout.memory("empty")) {}
  // Notes which sentences have no readable position. Puts nothing if each has one, so that the usual
  // case costs nothing.
  void put(const Source& source, const StateView& state) const;
  bool any(const StateView& state) const { return state.has(empty_); }
  // context [N,T,V], 0 in those sentences.
  Tensor without(const Tensor& context, const StateView& state) const;

 private:
  MemorySlot empty_;  // [N]
};

}  // namespace heed
