// The work of `heed translate` and `heed summarize`. Only models that need it open libtorch.
#pragma once

#include "cli/options.h"
#include "cli/translate/options.h"

namespace heed {

// Returns the exit code.
int run_translate(const TranslateOptions& options);

}  // namespace heed
