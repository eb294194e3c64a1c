// Settings of the output pointer_generator (pointer_generator.cpp).
#pragma once

#include <optional>

#include "model/output_config.h"

namespace heed {

struct PointerGeneratorConfig final : OutputConfig {
  bool bias = true;
  std::optional<int64_t> head;
  bool copy_end = false;
  void fields(Fields& f) override;
  bool copies() const override { return true; }
  bool reads_weights() const override { return true; }
  void check(const OutputDims& dims, Problems& problems) const override;
};

}  // namespace heed
