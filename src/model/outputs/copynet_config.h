// Settings of the output copynet (copynet.cpp).
#pragma once

#include "model/output_config.h"

namespace heed {

struct CopyNetConfig final : OutputConfig {
  bool bias = true;
  void fields(Fields& f) override;
  bool copies() const override { return true; }
  bool stepwise() const override { return true; }
  int64_t input_width(int64_t embedding, const SourceSpec& source) const override {
    return embedding + source.key;
  }
  void check(const OutputDims& dims, Problems& problems) const override;
};

}  // namespace heed
