// What models of earlier versions did where their configs do not say it.
#pragma once

#include "config/reader.h"

namespace heed {

// For reading the config of a saved model or of a run.
ReadOptions of_any_version();

}  // namespace heed
