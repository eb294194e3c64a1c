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

}  // namespace heed
