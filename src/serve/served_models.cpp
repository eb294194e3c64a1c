#include "serve/served_models.h"

#include <algorithm>
#include <functional>
#include <thread>

#include "base/log.h"
#include "request/http_error.h"

namespace heed {

namespace {

using Held = std::vector<std::shared_ptr<const ServedModel>>;

HttpError no_such_model(const std::string& name) {
  return {HttpStatus::kNotFound, fmt::format("{}: the server has no such model any more", name)};
}

// Waits until no request has the model, and then until its lines are translated.
void drop(std::shared_ptr<const ServedModel> model) {
  while (model.use_count() > 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  spdlog::info("{}: is dropped from memory", model->name);
}

}  // namespace

std::shared_ptr<const ServedModel> ModelLease::at(const std::string& name) const {
  if (offered.find(name) == nullptr) throw no_such_model(name);
  return *std::ranges::find_if(loaded, [&](const auto& one) { return one->name == name; });
}

ServedModels::ServedModels(bool may_pivot, double memory)
    : may_pivot_(may_pivot), memory_(memory), languages_(new LanguageGraph(may_pivot)) {}

void ServedModels::add(ServedModel model) {
  const std::lock_guard lock(mutex_);
  const auto loaded = std::make_shared<const ServedModel>(std::move(model));
  Entry entry{.model = {.name = loaded->name, .pairs = loaded->pairs, .version = "", .load = {}},
              .stays = true,
              .loaded = loaded};
  entries_.push_back(std::move(entry));
  make_languages();
}

void ServedModels::offer(std::vector<UnloadedModel> models) {
  const std::lock_guard lock(mutex_);
  std::deque<Entry> entries;
  for (Entry& entry : entries_)
    if (entry.stays) entries.push_back(std::move(entry));
  for (UnloadedModel& model : models) {
    Entry* before = find(model.name);
    Entry now{.model = std::move(model)};
    if (before != nullptr && before->model.version == now.model.version) {
      now.loaded = std::move(before->loaded);
      now.used = before->used;
    }
    entries.push_back(std::move(now));
  }
  for (Entry& entry : entries_)
    if (entry.loaded != nullptr) retired_.push_back(std::move(entry.loaded));
  entries_ = std::move(entries);
  make_languages();
}

void ServedModels::make_languages() {
  auto graph = std::make_shared<LanguageGraph>(may_pivot_);
  for (const Entry& entry : entries_) graph->add(entry.model.name, entry.model.pairs);
  languages_ = std::move(graph);
}

ServedModels::Entry* ServedModels::find(const std::string& name) {
  const auto found =
      std::ranges::find_if(entries_, [&](const Entry& one) { return one.model.name == name; });
  return found == entries_.end() ? nullptr : &*found;
}

ModelLease ServedModels::lease() const {
  const std::lock_guard lock(mutex_);
  ModelLease lease{.languages = languages_};
  for (const Entry& entry : entries_) {
    if (entry.loaded == nullptr) {
      lease.offered.add_unloaded(entry.model.name);
      continue;
    }
    lease.offered.add(*entry.loaded);
    lease.loaded.push_back(entry.loaded);
  }
  return lease;
}

void ServedModels::note_use(const std::string& name) {
  const std::lock_guard lock(mutex_);
  if (Entry* entry = find(name)) entry->used = ++uses_;
}

double ServedModels::bytes_in_memory() const {
  double bytes = 0;
  for (const Entry& entry : entries_)
    if (!entry.stays && entry.loaded != nullptr)
      bytes += static_cast<double>(entry.model.bytes + entry.loaded->attention->bytes());
  return bytes;
}

double ServedModels::loaded_bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_in_memory();
}

// nullptr: there is none.
std::shared_ptr<const ServedModel> ServedModels::take_least_recent(const Held& kept) {
  Entry* least = nullptr;
  for (Entry& entry : entries_) {
    const bool may_go = !entry.stays && entry.loaded != nullptr &&
                        std::ranges::find(kept, entry.loaded) == kept.end();
    if (may_go && (least == nullptr || entry.used < least->used)) least = &entry;
  }
  return least == nullptr ? nullptr : std::move(least->loaded);
}

void ServedModels::make_room(int64_t bytes, const Held& kept) {
  for (;;) {
    Held leaving;
    {
      const std::lock_guard lock(mutex_);
      const auto is_kept = [&](const auto& model) {
        return std::ranges::find(kept, model) != kept.end();
      };
      const auto first_kept =
          std::partition(retired_.begin(), retired_.end(), std::not_fn(is_kept));
      leaving.assign(retired_.begin(), first_kept);
      retired_.erase(retired_.begin(), first_kept);
      if (bytes_in_memory() + static_cast<double>(bytes) > memory_)
        if (auto least = take_least_recent(kept)) leaving.push_back(std::move(least));
    }
    if (leaving.empty()) return;
    for (auto& model : leaving) drop(std::move(model));
  }
}

// A pivot needs two models, which a request always gets; more are those of texts in several languages.
void ServedModels::check_together(int64_t bytes, const Held& kept) const {
  constexpr size_t kOfAPivot = 2;
  auto together = static_cast<double>(bytes);
  for (const Entry& entry : entries_)
    if (!entry.stays && std::ranges::find(kept, entry.loaded) != kept.end())
      together += static_cast<double>(entry.model.bytes);
  if (kept.size() >= kOfAPivot && together > memory_)
    throw_http_error(
        HttpStatus::kUnprocessable,
        "the texts of the request need {} models or more, which do not fit into memory "
        "together (--model-memory); send texts of one language in a request",
        kept.size() + 1);
}

std::shared_ptr<const ServedModel> ServedModels::load(const std::string& name, const Held& kept) {
  UnloadedModel wanted;
  {
    const std::lock_guard lock(mutex_);
    const Entry* entry = find(name);
    if (entry == nullptr) throw no_such_model(name);
    if (entry->loaded != nullptr) return entry->loaded;
    wanted = entry->model;
    check_together(wanted.bytes, kept);
  }
  make_room(wanted.bytes, kept);
  auto model = std::make_shared<const ServedModel>(wanted.load());
  spdlog::info("{}: is loaded", name);
  const std::lock_guard lock(mutex_);
  Entry* entry = find(name);
  if (entry == nullptr || entry->model.version != wanted.version) {
    retired_.push_back(model);
    throw no_such_model(name);
  }
  entry->loaded = model;
  entry->used = ++uses_;
  return model;
}

std::vector<std::string> ServedModels::names() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.push_back(entry.model.name);
  return names;
}

Json ServedModels::facts() const {
  const std::lock_guard lock(mutex_);
  Json models = Json::array();
  for (const Entry& entry : entries_) {
    Json facts = entry.loaded == nullptr ? entry.model.facts : model_json(*entry.loaded);
    facts["loaded"] = entry.loaded != nullptr;
    models.push_back(std::move(facts));
  }
  return models;
}

std::map<std::string, double> ServedModels::waiting_lines() const {
  std::map<std::string, double> lines;
  for (const auto& model : lease().loaded)
    lines[model->name] = static_cast<double>(model->queue->waiting());
  return lines;
}

}  // namespace heed
