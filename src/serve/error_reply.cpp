#include "serve/error_reply.h"

#include "request/json.h"

namespace heed {

namespace {

void send_with(HttpReply& reply, const HttpError& error, const std::string& path,
               HttpReply::Headers headers) {
  if (error.status() == HttpStatus::kUnauthorized) headers["WWW-Authenticate"] = "Bearer";
  if (error.status() == HttpStatus::kTooManyRequests) headers["Retry-After"] = "1";
  reply.send(static_cast<int>(error.status()), kJsonType,
             json_text({{path.starts_with("/v2/") ? "message" : "error", error.what()}}) + "\n",
             headers);
}

}  // namespace

void send_error(HttpReply& reply, const HttpError& error, const std::string& path) {
  send_with(reply, error, path, {});
}

void send_last_error(HttpReply& reply, const HttpError& error, const std::string& path) {
  send_with(reply, error, path, {{"Connection", "close"}});
}

}  // namespace heed
