// Keys that there were once, or that there are not beside another key: a struct says so in its
// fields(), and what a user writes in place of one. Configs that heed wrote itself are read as they
// were meant (older.h).
#pragma once

#include "config/fields.h"

namespace heed {

class RemovedKeys {
 public:
  virtual ~RemovedKeys() = default;
  virtual void refuse_absent(const char* name, const std::string& message) = 0;
};

// now: "write `…`", the end of the message.
void removed(Fields& f, const char* name, const char* now);
// why: the whole message.
void absent(Fields& f, const char* name, const std::string& why);

}  // namespace heed
