#include "serve/error_reply.h"

#include "request/json.h"

namespace heed {

namespace {

void send_with(HttpReply& reply, const HttpError& error,
               std::map<std::string, std::string> headers) {
  if (error.status() == HttpStatus::kUnauthorized) headers["WWW-Authenticate"] = "Bearer";
  if (error.status() == HttpStatus::kTooManyRequests) headers["Retry-After"] = "1";
  reply.send(static_cast<int>(error.status()), kJsonType,
             json_text({{"error", error.what()}}) + "\n", headers);
}

}  // namespace

void send_error(HttpReply& reply, const HttpError& error) { send_with(reply, error, {}); }

void send_last_error(HttpReply& reply, const HttpError& error) {
  send_with(reply, error, {{"Connection", "close"}});
}

}  // namespace heed
