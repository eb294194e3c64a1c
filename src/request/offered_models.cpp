#include "request/offered_models.h"

#include <algorithm>

#include "translate/split_line.h"

namespace heed {

const OfferedModel* OfferedModels::find(const std::string& name) const {
  const auto found = std::ranges::find(models_, name, &OfferedModel::name);
  return found == models_.end() ? nullptr : *found;
}

std::vector<std::string> OfferedModels::names() const {
  std::vector<std::string> names;
  for (const OfferedModel* model : models_) names.push_back(model->name);
  return names;
}

Json model_json(const OfferedModel& model) {
  const TextModel& text = *model.text;
  return {{"name", model.name},
          {"inputs", text.inputs},
          {"tags", text.tags},
          {"has_attention", text.has_source_weights},
          {"beam", model.search.beam},
          {"source_language", text.source_language},
          {"target_language", text.target_language},
          {"splits", can_split(text)}};
}

}  // namespace heed
