// Builders make a module from the settings of a kind and its dimensions. Settings are free of
// tensors, so a builder is a function in the file of its module. A list of names finds it
// (mechanisms.def, parts.def, optimizers.def).
#pragma once

#include <map>
#include <string>

#include "base/error.h"

namespace heed {

// `Builder<Config>::Function` is the type of the builders of a base class of settings.
template <class Config>
struct Builder;

// Builders by the name of the kind (KindSettings::type).
template <class Config>
using BuilderTable = std::map<std::string, typename Builder<Config>::Function*>;

template <class Config>
auto& builder_of(const BuilderTable<Config>& table, const Config& config) {
  const auto found = table.find(config.type);
  HEED_CHECK(found != table.end(), "no builder of '{}'", config.type);
  return *found->second;
}

// The settings as the struct of their kind.
template <class Struct, class Config>
const Struct& settings_as(const Config& config) {
  const auto* settings = dynamic_cast<const Struct*>(&config);
  HEED_CHECK(settings != nullptr, "'{}' has settings of another struct", config.type);
  return *settings;
}

}  // namespace heed
