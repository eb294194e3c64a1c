// Check common to the settings of outputs that copy.
#pragma once

#include "model/output_config.h"

namespace heed {

// Reports why the target cannot be copied.
void check_copying(const OutputDims& dims, Problems& problems);

}  // namespace heed
