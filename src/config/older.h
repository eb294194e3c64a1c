// Configs that heed wrote itself, in saved models and runs, before some of today's keys were made: a
// struct says in its fields(), before it lists a key, what the key stood for then. Nothing of this
// concerns what a user writes, and no other visitor than the reader of such a config sees it.
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

// Whether this struct was saved before there was a key of this name.
bool predates(const Fields& f, const char* name);
// The value of the key `name`, where the struct was saved before there was one.
template <class T, class Value>
void earlier(Fields& f, const char* name, const T& value, Value before) {
  if (predates(f, name)) writable(value) = std::move(before);
}
// A key that has become one of the kind under `into`. Where that kind has no such key, it made no
// difference, and is left out.
void moved(Fields& f, const char* name, const char* into);
// A word of the key `name`, and what it is now.
void renamed(Fields& f, const char* name, const char* before, const char* now);
// The value of the scalar `name` of a section, where the struct was saved when there was such a key.
std::optional<std::string> former(Fields& f, const char* section, const char* name);

}  // namespace heed
