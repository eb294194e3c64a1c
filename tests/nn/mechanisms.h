// Attention mechanisms of the tests alone, one for each thing that a term may do, and the list of
// all terms with them in it.
#pragma once

#include <memory>

#include "nn/attention/stages.h"
#include "nn/torch.h"

namespace heed {

// History: a key that was read is read less, one that was read last still less.
struct TiringTerm final : Term {
  bool needs_history() const override { return true; }
  Tensor add_to(const Tensor& scores, const At& at) override {
    return scores - 2 * at.history.total.unsqueeze(2) - at.history.previous.unsqueeze(2);
  }
};

// Restrict: no key that is further than one from the place of the query.
struct NearTerm final : Term {
  Tensor restrict(const Tensor& mask, const At& at) override {
    const Tensor distance = at.key_positions.unsqueeze(1) - at.positions.unsqueeze(2);  // [R,T,S]
    return mask & distance.abs().le(1).unsqueeze(1);
  }
};

// Reweigh: squares, not renormalised.
struct SquaringTerm final : Term {
  Tensor reweigh(const Tensor& weights, const At&) override { return weights * weights; }
};

// Side loss: the sum of the squares of a query's weights.
struct ChargingTerm final : Term {
  Tensor reweigh(const Tensor& weights, const At& at) override {
    at.losses.push_back({.name = "charge", .value = weights.square().sum(-1).mean(1)});  // [R,T]
    return weights;
  }
};

template <class T>
struct MechanismConfig final : TermConfig {
  void fields(Fields&) override {}
  std::shared_ptr<Term> build(const StageDims&) const override { return std::make_shared<T>(); }
};

// Everything registered and the four above.
inline const Registry<TermConfig>& terms_and_mechanisms() {
  static const bool once = [] {
    terms().push_back(kind<MechanismConfig<TiringTerm>, TermConfig>("test_tiring", ""));
    terms().push_back(kind<MechanismConfig<NearTerm>, TermConfig>("test_near", ""));
    terms().push_back(kind<MechanismConfig<SquaringTerm>, TermConfig>("test_squaring", ""));
    terms().push_back(kind<MechanismConfig<ChargingTerm>, TermConfig>("test_charging", ""));
    return true;
  }();
  static_cast<void>(once);
  return terms();
}

}  // namespace heed
