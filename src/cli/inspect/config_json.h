// Settings as JSON, with every default.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "config/settings.h"

namespace heed {

// Numbers, true and false as such, all else as texts.
nlohmann::ordered_json config_json(const Visited& settings);

}  // namespace heed
