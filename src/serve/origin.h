// Protection against requests that a page of another site makes a browser send.
#pragma once

#include <string>

#include "serve/http_exchange.h"

namespace heed {

// True if a host is localhost, 127.x.x.x or ::1.
bool is_loopback(const std::string& host);

// Throws HttpError(kForbidden) for a request from a page of another host. needs_loopback: if a
// request names a host, it has to be localhost or a loopback address. Another name may resolve to
// 127.0.0.1 (DNS rebinding), and its pages would then have the same host.
void check_origin(const HttpRequest& request, bool needs_loopback);

}  // namespace heed
