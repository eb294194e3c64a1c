// Protection against requests that a page of another site makes a browser send.
#pragma once

#include <string>
#include <vector>

#include "serve/http_exchange.h"

namespace heed {

// True if a host is localhost, 127.x.x.x or ::1.
bool is_loopback(const std::string& host);

// True for a request from a page of another host that is one of `origins`, or of any if "*" is.
bool has_allowed_origin(const HttpRequest& request, const std::vector<std::string>& origins);
// The headers that let the page read the answer; for an OPTIONS request, which a browser sends before,
// also those that allow the request itself (Fetch standard, CORS protocol).
HttpReply::Headers headers_for_origin(const HttpRequest& request);

// Throws HttpError(kForbidden) for a request from a page of another host. needs_loopback: if a
// request names a host, it has to be localhost or a loopback address. Another name may resolve to
// 127.0.0.1 (DNS rebinding), and its pages would then have the same host.
// origins: pages of them are answered.
void check_origin(const HttpRequest& request, bool needs_loopback,
                  const std::vector<std::string>& origins = {});

}  // namespace heed
