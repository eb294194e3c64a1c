// Which kinds of a registry settings hold, however deep.
#pragma once

#include <set>
#include <string>

#include "config/fields.h"

namespace heed {

std::set<std::string> kinds_in(Settings& settings, const void* registry);

// kinds_in(config, terms()): the names of all terms in a config.
template <class Base>
std::set<std::string> kinds_in(Settings& settings, const Registry<Base>& registry) {
  return kinds_in(settings, static_cast<const void*>(&registry));
}

}  // namespace heed
