// The JSON of a request. Its depth and the number of its values are bounded while it is read, so that
// a body of any form takes time and memory in proportion to its bytes.
#pragma once

#include <string>

#include "request/json.h"
#include "request/serve_limits.h"

namespace heed {

// Throws HttpError(kBadRequest): no JSON, a number that is too large, deeper than 8 lists and objects,
// more than ServeLimits::values() values, an object with more than 100 members or with one of them
// twice, a key of more than 100 bytes.
Json parse_body(const std::string& body, const ServeLimits& limits);
// The same; it has to be an object.
Json parse_object(const std::string& body, const ServeLimits& limits);

}  // namespace heed
