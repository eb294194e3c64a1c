#include "serve/served_models.h"

#include <algorithm>

namespace heed {

const ServedModel* ServedModels::find(const std::string& name) const {
  const auto found = std::ranges::find(models_, name, &ServedModel::name);
  return found == models_.end() ? nullptr : &*found;
}

std::vector<std::string> ServedModels::names() const {
  std::vector<std::string> names;
  for (const ServedModel& model : models_) names.push_back(model.name);
  return names;
}

}  // namespace heed
