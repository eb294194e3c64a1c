// Keys that have no effect because of another key of the same struct. The struct reports them in
// its fields(), after both keys. A user who sets such a key to another value than its default gets
// an error; configs that heed wrote itself are accepted as they are.
#pragma once

#include "config/fields.h"

namespace heed {

class IdleKeys {
 public:
  virtual ~IdleKeys() = default;
  virtual void refuse_changed(const char* name, const char* why) = 0;
};

// Reports that the scalar `name` has no effect because of `why`: "with `draw: shared`".
void idle(Fields& f, const char* name, const char* why);

}  // namespace heed
