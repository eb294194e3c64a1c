// The models of `heed serve`, by the options of its command line.
#pragma once

#include <string>
#include <vector>

#include "cli/serve/serving.h"
#include "serve/served_models.h"

namespace heed {

struct NamedModel {
  std::string name, path;
};

// The memory that all requests to a server share.
struct ServeMemory {
  // Lines in a search have most of it.
  explicit ServeMemory(double bytes) : messages(bytes / 4), lines(bytes - bytes / 4) {}
  MemoryBudget messages, lines;
};

// MODEL or NAME=MODEL. Throws Error(kUsage) for empty names and paths, and for a name that is there twice.
std::vector<NamedModel> named_models(const std::vector<std::string>& models);

// The languages of a model, from its name or its files. Throws as language_pairs().
std::vector<LanguagePair> pairs_of(const std::string& name, const TextModel& model);

// Loads a model. Throws Error for one that cannot be loaded, translates nothing, or searches beyond the
// limits.
ServedModel served_model(const NamedModel& named, const ServeOptions& options, ServeMemory& memory);

}  // namespace heed
