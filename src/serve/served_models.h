// The models of a server, by name.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "request/offered_models.h"
#include "serve/attention_maps_source.h"
#include "serve/translation_queue.h"

namespace heed {

struct ServedModel : OfferedModel {
  std::unique_ptr<TranslationQueue> queue;
  // May take a second, and throws Error or HttpError if no maps can be made.
  std::function<std::unique_ptr<AttentionMapsSource>()> load_attention;
};

class ServedModels {
 public:
  void add(ServedModel model) { offered_.add(models_.emplace_back(std::move(model))); }
  const OfferedModels& offered() const { return offered_; }
  const std::deque<ServedModel>& all() const { return models_; }
  // An offered one.
  const ServedModel& of(const OfferedModel& model) const;

 private:
  std::deque<ServedModel> models_;  // whose addresses stay, also of one that is moved
  OfferedModels offered_;
};

}  // namespace heed
