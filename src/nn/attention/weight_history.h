// Attention whose stages read the weights of earlier queries (At::history): the queries of a
// hypothesis are processed one after the other.
#pragma once

#include "nn/attention/plain_attention.h"
#include "nn/state.h"

namespace heed {

class WeightHistory {
 public:
  WeightHistory(StateLayout& layout, int64_t heads)
      : heads_(heads),
        previous_(layout.carry("previous")),
        total_(layout.carry("total")),
        kept_(layout.carry("kept")) {}
  // plain_attention() of each query in turn, with the history of the queries before it.
  Attended attend(const Stages& stages, const At& at, const KeysAndValues& memory,
                  StateView state) const;

 private:
  History load(const KeysAndValues& memory, const StateView& state) const;
  void store(const History& history, const StateView& state) const;

  int64_t heads_;
  CarrySlot previous_, total_, kept_;  // History of each hypothesis: [R,H,S], [R,H,S], [R,H,S,…]
};

}  // namespace heed
