#include "config/idle.h"

namespace heed {

void idle(Fields& f, const char* name, const char* why) {
  if (auto* keys = dynamic_cast<IdleKeys*>(&f)) keys->refuse_changed(name, why);
}

}  // namespace heed
