// Options of the search for `heed translate` and `heed summarize`, from the command line and the model.
#pragma once

#include "cli/translate/options.h"
#include "translate/batch_translator.h"

namespace heed {

// Without callbacks for warnings, progress and constraints. Throws Error(kUsage) for options that do
// not fit the model.
BatchTranslatorOptions batch_options(const TranslateOptions& options, const TextModel& model);

}  // namespace heed
