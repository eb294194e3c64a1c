// IBM model 2 with positions near the diagonal (Dyer, Chahuneau and Smith 2013, "A simple, fast, and
// effective reparameterization of IBM model 2"), the model of fast_align:
//   p(NULL) = null,  p(i | j) ∝ exp(-tension · |(i + 1)/I - (j + 1)/J|)
// for word j of J and position i of I. The tension stays as it is: one of higher likelihood gave more errors.
#pragma once

#include "align/position_model.h"

namespace heed {

class DiagonalModel final : public PositionModel {
 public:
  DiagonalModel(double null, double tension) : null_(null), tension_(tension) {}

  double posteriors(const PositionMatrix& emissions, PositionMatrix& posteriors,
                    PositionCounts& counts) const override;
  size_t counts_size() const override { return 0; }
  void maximize(const PositionCounts& counts) override {}
  static constexpr const char* kName = "diagonal";
  std::string name() const override { return kName; }
  std::vector<double> parameters() const override { return {null_, tension_}; }

 private:
  double null_, tension_;
};

}  // namespace heed
