// Keys that were removed. A struct reports each in its fields(), with the key or value to write
// instead. Configs that heed wrote itself are converted (older.h).
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
