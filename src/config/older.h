// Configs that heed wrote itself, in saved models and runs, before some of today's keys existed. A
// struct gives in its fields(), before it lists a key, the value that an older config implies. None
// of this affects configs of users, and only the reader of saved configs sees it.
#pragma once

#include <optional>
#include <string>

#include "config/fields.h"

namespace heed {

class OlderConfig {
 public:
  virtual ~OlderConfig() = default;
  virtual bool lacks(const char* name) const = 0;
  virtual void move(const char* name, const char* into) = 0;
  virtual void rename(const char* name, const char* before, const char* now) = 0;
  virtual std::optional<std::string> former(const char* section, const char* name) = 0;
};

// True if this struct was saved before the key `name` existed.
bool predates(const Fields& f, const char* name);
// Sets the key `name` to `before` if the struct was saved before the key existed.
template <class T, class Value>
void earlier(Fields& f, const char* name, const T& value, Value before) {
  if (predates(f, name)) writable(value) = std::move(before);
}
// Moves a key into the kind under `into`. The key is ignored if that kind does not have it: then it
// had no effect.
void moved(Fields& f, const char* name, const char* into);
// Replaces the word `before` of the key `name` by `now`.
void renamed(Fields& f, const char* name, const char* before, const char* now);
// Returns the value of the scalar `name` of a section if the struct was saved when this key
// existed.
std::optional<std::string> former(Fields& f, const char* section, const char* name);

}  // namespace heed
