// IBM model 2 with positions near the diagonal (Dyer, Chahuneau and Smith 2013, "A simple, fast, and
// effective reparameterization of IBM model 2"), the model of fast_align:
//   p(NULL) = null,  p(i | j) ∝ exp(-tension · |(i + 1)/I - (j + 1)/J|)
// for word j of J and position i of I.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "align/position_model.h"

namespace heed {

// Numbers of sentence pairs with J observed words and I words in the other sentence.
using LengthCounts = std::map<std::pair<uint32_t, uint32_t>, int64_t>;

class DiagonalModel final : public PositionModel {
 public:
  DiagonalModel(double null, double tension, LengthCounts lengths)
      : null_(null), tension_(tension), lengths_(std::move(lengths)) {}

  double posteriors(const PositionMatrix& emissions, PositionMatrix& posteriors,
                    PositionCounts& counts) const override;
  size_t counts_size() const override { return 1; }  // the expected sum of -|…|
  // Eight steps of gradient ascent on the tension, as in section 3.2 of the paper.
  void maximize(const PositionCounts& counts) override;
  static constexpr const char* kName = "diagonal";
  std::string name() const override { return kName; }
  std::vector<double> parameters() const override { return {null_, tension_}; }

 private:
  double expected_distance(double tension) const;

  double null_, tension_;
  LengthCounts lengths_;
};

}  // namespace heed
