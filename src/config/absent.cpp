#include "config/absent.h"

namespace heed {

void absent(Fields& f, const char* name, const std::string& why) {
  if (auto* keys = dynamic_cast<AbsentKeys*>(&f)) keys->refuse_absent(name, why);
}

}  // namespace heed
