#include "config/removed.h"

#include "base/error.h"

namespace heed {

void removed(Fields& f, const char* name, const char* now) {
  absent(f, name, fmt::format("is no setting any more: {}", now));
}

void absent(Fields& f, const char* name, const std::string& why) {
  if (auto* keys = dynamic_cast<RemovedKeys*>(&f)) keys->refuse_absent(name, why);
}

}  // namespace heed
