#include "request/offered_models.h"

#include <algorithm>

#include "translate/directions.h"
#include "translate/split_line.h"

namespace heed {

const OfferedModel& OfferedModels::at(size_t number) const {
  const Entry& entry = models_.at(number);
  if (entry.model == nullptr) throw ModelNotLoaded(entry.name);
  return *entry.model;
}

const OfferedModel* OfferedModels::find(const std::string& name) const {
  const auto found = std::ranges::find(models_, name, &Entry::name);
  return found == models_.end() ? nullptr : &at(static_cast<size_t>(found - models_.begin()));
}

std::vector<std::string> OfferedModels::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : models_) names.push_back(entry.name);
  return names;
}

Json model_json(const OfferedModel& model) {
  const TextModel& text = *model.text;
  const Directions directions(text);
  return {{"name", model.name},
          {"inputs", text.inputs},
          {"tags", text.tags},
          {"has_attention", text.has_source_weights},
          {"beam", model.search.beam},
          {"source_language", text.source_language},
          {"target_language", text.target_language},
          {"source_languages", directions.sources()},
          {"target_languages", directions.targets()},
          {"splits", can_split(text)}};
}

}  // namespace heed
