// `train.lora:`, low-rank adaptation of the model in init.model (lora.h):
//
//   train:
//     lora: {rank: 8, alpha: 16, layers: [all]}
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/fields.h"

namespace heed {

struct LoraConfig final : Settings {
  static constexpr const char* kAll = "all";
  int64_t rank = 8;
  double alpha = 16;
  bool rank_stabilized = false;
  std::vector<std::string> layers;  // patterns (parameter_pattern.h); empty: queries and values
  void fields(Fields& f) override;
  double scale() const;  // s in W + s B A
};

}  // namespace heed
