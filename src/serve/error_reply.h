// The answer to a request that fails: {"error": "…"}.
#pragma once

#include "request/http_error.h"
#include "serve/http_exchange.h"

namespace heed {

void send_error(HttpReply& reply, const HttpError& error);
// The same, after which the connection is closed.
void send_last_error(HttpReply& reply, const HttpError& error);

}  // namespace heed
