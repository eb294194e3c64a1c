// Settings of training by a metric of whole sentences (sequence_objective.h).
#pragma once

#include <cstdint>
#include <string>

#include "config/fields.h"

namespace heed {

enum class SequenceLoss { kRisk, kSelfCritical };

struct SequenceLossConfig final : Settings {
  enum class Preset { kNone, kShen };
  Preset preset = Preset::kNone;
  SequenceLoss loss = SequenceLoss::kRisk;
  std::string metric = "chrf";
  int64_t samples = 8;     // k
  bool reference = false;  // whether the reference is one of the candidates of minimum risk
  double alpha = 0.005;    // α
  double weight = 1;       // λ
  int64_t after = 0;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;

 private:
  void take_preset();
};

}  // namespace heed
