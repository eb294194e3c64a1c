// Settings that outputs that copy have in common.
#pragma once

#include "model/output_config.h"

namespace heed {

// Reports why the target cannot be copied.
void check_copying(const OutputDims& dims, Problems& problems);

// Reports `copy_end` if the source has no end.
void check_copy_end(bool copy_end, const OutputDims& dims, Problems& problems);

// The state s_t that copying reads: Step::hidden or Step::state.
enum class CopyState { kOutput, kDecoder };

// Base class: an output that copies by a state.
struct CopyingConfig : OutputConfig {
  CopyState state = CopyState::kOutput;
  void fields(Fields& f) override;
  bool copies() const override { return true; }
  void check(const OutputDims& dims, Problems& problems) const override;
  // Width of the state.
  int64_t width(const OutputDims& dims) const {
    return state == CopyState::kDecoder ? dims.state : dims.hidden;
  }
};

}  // namespace heed
