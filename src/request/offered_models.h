// The models that a request may name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "request/json.h"
#include "text/word_joins.h"
#include "translate/text_model.h"

namespace heed {

struct OfferedModel {
  std::string name;
  std::shared_ptr<const TextModel> text;
  SearchConfig search, summary_search;     // for a request without search settings
  std::shared_ptr<const WordJoins> joins;  // Codec::word_joins() of the target
};

class OfferedModels {
 public:
  // The model has to outlive it.
  void add(const OfferedModel& model) { models_.push_back(&model); }
  const std::vector<const OfferedModel*>& all() const { return models_; }
  // nullptr if no model has this name.
  const OfferedModel* find(const std::string& name) const;
  std::vector<std::string> names() const;

 private:
  std::vector<const OfferedModel*> models_;
};

// Facts of a model for a page: {"name", "inputs", "tags", "has_attention", "beam", …}.
Json model_json(const OfferedModel& model);

}  // namespace heed
