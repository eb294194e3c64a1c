// The answer to a request that fails: {"error": "…"}, or {"message": "…"} for the paths of DeepL.
#pragma once

#include <string>

#include "request/http_error.h"
#include "serve/http_exchange.h"

namespace heed {

// path: of the request.
void send_error(HttpReply& reply, const HttpError& error, const std::string& path);
// The same, after which the connection is closed.
void send_last_error(HttpReply& reply, const HttpError& error, const std::string& path);

}  // namespace heed
