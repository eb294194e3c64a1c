// Access to keys for a normalizer that reads ahead (hard monotonic attention): only the keys that it
// requests are scored, so that a sentence is decoded in time linear in its length.
#pragma once

#include "nn/attention/stages.h"

namespace heed {

// x [R,H,S,D] at positions [R,H,P], clamped to those of S.  [R,H,P,D]
Tensor taken(const Tensor& x, const Tensor& places);

class KeysAhead final : public ScoredKeys {
 public:
  // Of one query; mask [R,1,1,S]. second: none where the normalizer wants no second scores.
  KeysAhead(const At& at, const Tensor& mask, Scorer& scorer, Scorer* second)
      : at_(at), mask_(mask), scorer_(scorer), second_(second) {}
  int64_t count() const override { return mask_.size(3); }
  Tensor open(const Tensor& places) const override;
  Tensor scores(const Tensor& places) const override;
  Tensor second_scores(const Tensor& places) const override;
  // The weights of a reading over all keys.  [R,H,1,S]
  Tensor spread(const Reading& reading) const;

 private:
  Tensor inside(const Tensor& places) const;

  const At& at_;
  Tensor mask_;
  Scorer& scorer_;
  Scorer* second_;
};

}  // namespace heed
