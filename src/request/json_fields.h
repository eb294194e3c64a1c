// The fields of a JSON object that a client sent. What is wrong with them is collected, so that a
// client learns of everything at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.h"
#include "request/json.h"

namespace heed {

// A value as a message shows it: a long one by its type.
std::string shown(const Json& value);

class JsonFields {
 public:
  // The object has to outlive it.
  explicit JsonFields(const Json& object) : object_(object) {}

  // Each takes a field: nullopt if it is not there, is null or is wrong.
  std::optional<bool> boolean(const std::string& name);
  std::optional<int64_t> whole(const std::string& name, const IntRange& range);
  std::optional<double> real(const std::string& name, const Range& range);
  std::optional<std::string> text(const std::string& name);
  // A list of texts.
  std::vector<std::string> texts(const std::string& name);
  // Null if it is not there or is null.
  const Json* any(const std::string& name);
  // True if it is there and not null. Does not take it.
  bool has(const std::string& name) const;

  void wrong(const std::string& name, const std::string& what);
  // The names of all fields that were asked for.
  const std::vector<std::string>& asked() const { return taken_; }
  // Fields that were not taken.
  std::vector<std::string> others() const;
  const Json& object() const { return object_; }
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  void expected(const std::string& name, const Json& found, const std::string& what);

  const Json& object_;
  std::vector<std::string> taken_, problems_;
};

}  // namespace heed
