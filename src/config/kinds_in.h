// Which kinds of a registry settings hold, however deep.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "config/fields.h"

namespace heed {

// path: of the key that has the kind, "encoder.word_encoder"; items of lists have no name of their own.
using KindVisitor =
    std::function<void(const std::string& path, const std::string& name, Settings& kind)>;
void visit_kinds(Settings& settings, const void* registry, const KindVisitor& visit);

// visit_kinds(config, encoders(), …): every encoder in a config.
template <class Base>
void visit_kinds(Settings& settings, const Registry<Base>& registry, const KindVisitor& visit) {
  visit_kinds(settings, static_cast<const void*>(&registry), visit);
}

// kinds_in(config, terms()): the names of all terms in a config.
template <class Base>
std::set<std::string> kinds_in(Settings& settings, const Registry<Base>& registry) {
  std::set<std::string> names;
  visit_kinds(settings, registry,
              [&](const std::string&, const std::string& name, Settings&) { names.insert(name); });
  return names;
}

}  // namespace heed
