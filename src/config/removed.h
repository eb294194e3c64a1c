// Keys that there were once: a struct says in its fields() what a user writes in place of one.
// Configs that heed wrote itself are read as they were meant (older.h).
#pragma once

#include "config/fields.h"

namespace heed {

class RemovedKeys {
 public:
  virtual ~RemovedKeys() = default;
  virtual void refuse_removed(const char* name, const char* now) = 0;
};

// now: "write `…`", the end of the message.
void removed(Fields& f, const char* name, const char* now);

}  // namespace heed
