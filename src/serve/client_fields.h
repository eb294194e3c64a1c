// Fields of requests that JSON and forms write in different ways: numbers, truth values and lists.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "request/json_fields.h"

namespace heed {

// A number, or a text that is one.
std::optional<int64_t> whole_in(JsonFields& fields, const std::string& name, const IntRange& range);
// true, "true", 1 or "1", or their opposites.
std::optional<bool> boolean_in(JsonFields& fields, const std::string& name);
// A text, or a list of texts.
std::vector<std::string> texts_in(JsonFields& fields, const std::string& name);
// [{"kind": "ignored", "message": "context: is not used"}, …] for these fields, if they are there.
Json ignored_fields(const JsonFields& fields, const std::vector<std::string>& names);

}  // namespace heed
