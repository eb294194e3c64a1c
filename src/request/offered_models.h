// The models that a request may name.
#pragma once

#include <memory>
#include <stdexcept>
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

// A request names a model that has to be loaded first.
class ModelNotLoaded : public std::runtime_error {
 public:
  explicit ModelNotLoaded(const std::string& name) : std::runtime_error(name) {}
  std::string name() const { return what(); }
};

class OfferedModels {
 public:
  // The model has to outlive it.
  void add(const OfferedModel& model) { models_.push_back({model.name, &model}); }
  void add_unloaded(const std::string& name) { models_.push_back({name, nullptr}); }
  size_t size() const { return models_.size(); }
  // Throws ModelNotLoaded.
  const OfferedModel& at(size_t number) const;
  // nullptr if no model has this name. Throws ModelNotLoaded.
  const OfferedModel* find(const std::string& name) const;
  std::vector<std::string> names() const;

 private:
  struct Entry {
    std::string name;
    const OfferedModel* model;  // nullptr: not loaded
  };
  std::vector<Entry> models_;
};

// Facts of a model for a page: {"name", "inputs", "tags", "has_attention", "beam", …}.
Json model_json(const OfferedModel& model);

}  // namespace heed
