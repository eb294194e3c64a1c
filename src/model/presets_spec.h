// The published models that `model.preset` names. The build makes the list from the files in
// presets/: NAME.yaml is the preset NAME.
#pragma once

#include "config/preset.h"

namespace heed {

const Presets& model_presets();

}  // namespace heed
