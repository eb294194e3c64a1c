// Requests that a page of another site makes a browser send.
#pragma once

#include <string>

#include "serve/http_exchange.h"

namespace heed {

// Whether a host is localhost, 127.x.x.x or ::1.
bool is_loopback(const std::string& host);

// Throws HttpError(kForbidden) for a request from a page of another host. needs_loopback: the host of
// every request has to be localhost or a loopback address, if the request names one: any other name
// may lead to 127.0.0.1 (DNS rebinding), and then its pages are of the same host.
void check_origin(const HttpRequest& request, bool needs_loopback);

}  // namespace heed
