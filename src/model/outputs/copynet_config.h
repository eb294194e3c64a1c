// Settings of the output copynet (copynet.cpp).
#pragma once

#include "model/outputs/copying_config.h"

namespace heed {

struct CopyNetConfig final : CopyingConfig {
  bool bias = true;
  bool copy_end = false;
  void fields(Fields& f) override;
  bool reads_source() const override { return true; }
  bool stepwise() const override { return true; }
  int64_t input_width(int64_t embedding, const SourceSpec& source) const override {
    return embedding + source.key;
  }
  void check(const OutputDims& dims, Problems& problems) const override;
};

}  // namespace heed
