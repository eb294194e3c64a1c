// The models of a server, by name.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "serve/attention_maps_source.h"
#include "serve/translation_queue.h"
#include "text/word_joins.h"

namespace heed {

struct ServedModel {
  std::string name;
  SearchConfig search, summary_search;     // for a request without search settings
  std::shared_ptr<const WordJoins> joins;  // Codec::word_joins() of the target
  std::unique_ptr<TranslationQueue> queue;
  // May take a second, and throws Error or HttpError if no maps can be made.
  std::function<std::unique_ptr<AttentionMapsSource>()> load_attention;

  const TextModel& text() const { return queue->model(); }
};

class ServedModels {
 public:
  void add(ServedModel model) { models_.push_back(std::move(model)); }
  const std::deque<ServedModel>& all() const { return models_; }
  // nullptr if no model has this name.
  const ServedModel* find(const std::string& name) const;
  std::vector<std::string> names() const;

 private:
  std::deque<ServedModel> models_;
};

}  // namespace heed
