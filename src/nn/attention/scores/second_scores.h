// Scores by a second scorer with its own parameters, for a normalizer that needs two scores of each
// key. The normalizer owns them, their keys and their history.
#pragma once

#include <memory>
#include <utility>

#include "nn/attention/stages.h"

namespace heed {

class SecondScores {
 public:
  // layout: that of the normalizer
  SecondScores(std::shared_ptr<Scorer> scorer, StateLayout& layout)
      : scorer_(std::move(scorer)),
        keys_(layout.memory("keys")),
        past_keys_(layout.cache("past_keys", 2)),
        kept_(layout.carry("kept")) {}
  const std::shared_ptr<Scorer>& scorer() const { return scorer_; }

  // The hooks of Normalizer.
  void start(const Source& source, const StateView& own) const;
  void append(const Tensor& keys, const Tensor& positions, const StateView& own) const;
  Tensor prepare_queries(const Tensor& x, const Tensor& positions) const;
  void remember(const At& at, const Tensor& weights) const;

  Tensor scores(const At& at) const;  // [R,H,T,S]
  // Scores of the keys at positions [R,H,P], for one query of each hypothesis.  [R,H,P]
  Tensor scores_of(const Tensor& positions, const At& at) const;

 private:
  At inputs(const At& at) const;

  std::shared_ptr<Scorer> scorer_;
  MemorySlot keys_;      // of a source
  CacheSlot past_keys_;  // of a past
  CarrySlot kept_;       // History::kept of this scorer
};

}  // namespace heed
