// Access to keys for a normalizer that reads ahead (hard monotonic attention): only the keys that
// it requests are scored, so that a sentence is decoded in time linear in its length.
#pragma once

#include "nn/attention/stages.h"

namespace heed {

// x [N,H,S,D] of sentences at positions [R,H,P] of their hypotheses, clamped to those of S.
// [R,H,P,D]
Tensor taken(const Tensor& x, const Tensor& positions);

class KeysAhead final : public ScoredKeys {
 public:
  // One query of each hypothesis; mask [N,1,1,S] of their sentences. second: null if not needed.
  KeysAhead(const At& at, const Tensor& mask, Scorer& scorer, Scorer* second)
      : at_(at), mask_(mask.squeeze(2).unsqueeze(3)), scorer_(scorer), second_(second) {}
  int64_t count() const override { return mask_.size(2); }
  Tensor open(const Tensor& positions) const override;
  Tensor scores(const Tensor& positions) const override;
  Tensor second_scores(const Tensor& positions) const override;
  // The same weights over all keys.  [R,H,1,S]
  Tensor spread(const SparseWeights& sparse) const;

 private:
  Tensor inside(const Tensor& positions) const;

  const At& at_;
  Tensor mask_;  // [N,1,S,1]
  Scorer& scorer_;
  Scorer* second_;
};

}  // namespace heed
