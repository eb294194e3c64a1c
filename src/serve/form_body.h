// Bodies of forms, as the object that a client would have sent as JSON.
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "request/json.h"
#include "request/serve_limits.h"
#include "serve/http_exchange.h"

namespace heed {

// The fields of a request by the type of its body: JSON, application/x-www-form-urlencoded or
// multipart/form-data. A body that begins with { is JSON whatever its type, as that of curl -d. A
// field of a form is a text, or a list of texts if it is there several times; the files of a form
// are left out. Fields of the query are added where the body lacks them. Throws
// HttpError(kBadRequest) for what none of the forms allows.
Json parse_fields(const HttpRequest& request, const ServeLimits& limits);

// The fields of a request, which are parsed when they are needed first, and once.
class RequestFields {
 public:
  // Both have to outlive it.
  RequestFields(const HttpRequest& request, const ServeLimits& limits)
      : request_(request), limits_(limits) {}
  // Throws as parse_fields() does.
  const Json& get() const;

 private:
  const HttpRequest& request_;
  const ServeLimits& limits_;
  mutable std::optional<Json> fields_;
  mutable std::exception_ptr failure_;
};

// True if the body is a form.
bool has_form(const HttpRequest& request);

}  // namespace heed
