// Keys that another key of the same struct leaves without effect: a struct says so in its fields(),
// behind both. A user who gives such a key another value than its default has misunderstood one of
// the two and gets an error; configs that heed wrote itself are read as they are.
#pragma once

#include "config/fields.h"

namespace heed {

class IdleKeys {
 public:
  virtual ~IdleKeys() = default;
  virtual void refuse_changed(const char* name, const char* why) = 0;
};

// `name`, a scalar, does nothing because of `why`: "with `draw: shared`".
void idle(Fields& f, const char* name, const char* why);

}  // namespace heed
