// The options object of the C interface.
#pragma once

#include <string>

#include "heed/training_v0.h"

struct heed_options {
  heed::v0::LoadOptions load;
  heed::v0::TranslateOptions translate;
  heed::v0::TrainingOptions train;

  // Throws v0::Error(kUsage) for a name or value that is none.
  void set(const std::string& name, const std::string& value);
};
