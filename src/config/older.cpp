#include "config/older.h"

namespace heed {

bool predates(const Fields& f, const char* name) {
  const auto* older = dynamic_cast<const OlderConfig*>(&f);
  return older != nullptr && older->lacks(name);
}

void moved(Fields& f, const char* name, const char* into) {
  if (auto* older = dynamic_cast<OlderConfig*>(&f)) older->move(name, into);
}

void renamed(Fields& f, const char* name, const char* before, const char* now) {
  if (auto* older = dynamic_cast<OlderConfig*>(&f)) older->rename(name, before, now);
}

std::optional<std::string> former(Fields& f, const char* section, const char* name) {
  auto* older = dynamic_cast<OlderConfig*>(&f);
  return older != nullptr ? older->former(section, name) : std::nullopt;
}

}  // namespace heed
