// Settings of the output pointer_generator (pointer_generator.cpp).
#pragma once

#include <optional>

#include "model/outputs/copying_config.h"

namespace heed {

struct PointerGeneratorConfig final : CopyingConfig {
  bool bias = true;
  std::optional<int64_t> head;
  bool copy_end = false;
  void fields(Fields& f) override;
  bool reads_weights() const override { return true; }
  void check(const OutputDims& dims, Problems& problems) const override;
};

}  // namespace heed
