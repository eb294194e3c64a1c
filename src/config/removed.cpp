#include "config/removed.h"

namespace heed {

void removed(Fields& f, const char* name, const char* now) {
  if (auto* keys = dynamic_cast<RemovedKeys*>(&f)) keys->refuse_removed(name, now);
}

}  // namespace heed
