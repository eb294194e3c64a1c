// Settings of the output entmax (entmax.cpp).
#pragma once

#include "model/output_config.h"
#include "nn/simplex_projection_config.h"

namespace heed {

struct EntmaxOutputConfig final : OutputConfig {
  bool bias = true;
  SimplexProjection alpha = SimplexProjection::kEntmax15;
  void fields(Fields& f) override;
};

}  // namespace heed
