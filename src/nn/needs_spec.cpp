#include "nn/needs_spec.h"

#include "config/kinds_in.h"

namespace heed {

Needs needs_of(const Visited& settings) {
  Needs needs;
  const auto ask = [&needs](const Settings& part) {
    if (const auto* needing = dynamic_cast<const Needing*>(&part)) needing->add_needs(needs);
  };
  ask(*settings);
  visit_kinds(settings, [&](const std::string&, const Settings& kind) { ask(kind); });
  return needs;
}

}  // namespace heed
