// Settings of a joiner, without tensors (joiner.h).
#pragma once

#include <map>
#include <string>

#include "model/encoder_config.h"

namespace heed {

using AllSourceDims = std::map<std::string, SourceDims>;

struct JoinerConfig : KindSettings {
  virtual void check(const AllSourceDims& sources, Problems& problems) const {}
  // Dimensions of the sources after join(), which keep their names.
  virtual AllSourceDims dims(const AllSourceDims& sources) const = 0;
};
const Registry<JoinerConfig>& joiners();

}  // namespace heed
