// The models of a server, by name. Some are loaded when a request needs them, and dropped when others
// need their memory.
#pragma once

#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "request/offered_models.h"
#include "serve/attention_maps_source.h"
#include "serve/language_graph.h"
#include "serve/translation_queue.h"

namespace heed {

struct ServedModel : OfferedModel {
  std::vector<LanguagePair> pairs{};
  std::unique_ptr<TranslationQueue> queue{};
  std::unique_ptr<AttentionMapsOnUse> attention{};
};

// A model that is not loaded.
struct UnloadedModel {
  std::string name;
  std::vector<LanguagePair> pairs{};
  Json facts{};         // as model_json(), as far as they are known
  int64_t bytes = 0;    // of its files, which are about those in memory
  std::string version;  // differs once the files have changed
  // May take seconds; throws Error.
  std::function<ServedModel()> load;
};

// The models as a request finds them. Those that are loaded stay while it lives.
struct ModelLease {
  OfferedModels offered{};
  std::shared_ptr<const LanguageGraph> languages{};
  std::vector<std::shared_ptr<const ServedModel>> loaded{};

  // The model of this name. Throws ModelNotLoaded, and HttpError if the model does not exist.
  std::shared_ptr<const ServedModel> at(const std::string& name) const;
};

class ServedModels {
 public:
  // may_pivot: LanguageGraph. memory: bytes of models that are loaded on use.
  explicit ServedModels(bool may_pivot = true,
                        double memory = std::numeric_limits<double>::infinity());

  // A model that stays loaded.
  void add(ServedModel model);
  // Takes the place of all models that are loaded on use; one with the same version stays loaded.
  void offer(std::vector<UnloadedModel> models);

  ModelLease lease() const;
  // Notes that a request uses the model: the one that was used least recently is dropped first.
  void note_use(const std::string& name);
  // Loads a model, unless it is loaded; drops others for it, which have no lines any more then.
  // Called by one thread at a time. kept: models of the same request, which are not dropped. Throws
  // Error, and HttpError if the model does not exist any more, or if it is the third of a request or a
  // later one and they do not fit into the memory together.
  std::shared_ptr<const ServedModel> load(
      const std::string& name, const std::vector<std::shared_ptr<const ServedModel>>& kept);

  std::vector<std::string> names() const;
  // [{"name", …}, …] for GET /models.
  Json facts() const;
  std::map<std::string, double> waiting_lines() const;
  double loaded_bytes() const;  // of those loaded on use, with their attention maps

 private:
  struct Entry {
    UnloadedModel model;
    bool stays = false;
    std::shared_ptr<const ServedModel> loaded{};
    int64_t used = 0;
  };
  Entry* find(const std::string& name);
  void make_languages();
  void make_room(int64_t bytes, const std::vector<std::shared_ptr<const ServedModel>>& kept);
  std::shared_ptr<const ServedModel> take_least_recent(
      const std::vector<std::shared_ptr<const ServedModel>>& kept);
  void check_together(int64_t bytes,
                      const std::vector<std::shared_ptr<const ServedModel>>& kept) const;
  double bytes_in_memory() const;

  const bool may_pivot_;
  const double memory_;
  mutable std::mutex mutex_;
  std::deque<Entry> entries_;
  std::shared_ptr<const LanguageGraph> languages_;
  int64_t uses_ = 0;
  // Models without a file, whose lines are not all translated.
  std::vector<std::shared_ptr<const ServedModel>> retired_;
};

}  // namespace heed
