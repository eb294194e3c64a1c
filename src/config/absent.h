// Keys that exclude one another: a struct names one that it does not have now, with the reason.
// Configs that heed wrote itself may have it.
#pragma once

#include <string>

#include "config/fields.h"

namespace heed {

class AbsentKeys {
 public:
  virtual ~AbsentKeys() = default;
  virtual void refuse_absent(const char* name, const std::string& message) = 0;
};

// why: the whole message.
void absent(Fields& f, const char* name, const std::string& why);

}  // namespace heed
