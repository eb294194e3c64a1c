// `heed translate --document`: the texts of a document are translated, the rest of it stays.
#pragma once

#include "cli/translate/options.h"

namespace heed {

// Throws Error: kUsage for options that a document does not take, such as --nbest, and as a
// translation of lines does.
void translate_document(const TranslateOptions& options);

}  // namespace heed
