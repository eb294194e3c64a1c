#include "serve/served_models.h"

#include <algorithm>

namespace heed {

const ServedModel& ServedModels::of(const OfferedModel& model) const {
  return *std::ranges::find(models_, model.name, &ServedModel::name);
}

}  // namespace heed
