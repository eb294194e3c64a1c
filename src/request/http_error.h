// An error that answers a request.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace heed {

// Status codes of RFC 9110 and 6585.
enum class HttpStatus {
  kOk = 200,
  kCreated = 201,
  kNoContent = 204,
  kBadRequest = 400,
  kUnauthorized = 401,
  kForbidden = 403,
  kNotFound = 404,
  kMethodNotAllowed = 405,
  kContentTooLarge = 413,
  kUnsupportedMedia = 415,
  kUnprocessable = 422,  // a line that the model cannot read
  kTooManyRequests = 429,
  kQuotaExceeded = 456,  // of DeepL
  kClientClosed = 499,   // the client is gone; only for the metrics, as in nginx
  kInternal = 500,
  kNotImplemented = 501,
  kUnavailable = 503,
  kTimeout = 504,
};

class HttpError : public std::runtime_error {
 public:
  // message: for the client. reason: for the log, if that says more, such as files of this machine.
  HttpError(HttpStatus status, const std::string& message, std::string reason = "")
      : std::runtime_error(message), status_(status), reason_(std::move(reason)) {}
  HttpStatus status() const { return status_; }
  std::string reason() const { return reason_.empty() ? what() : reason_; }

 private:
  HttpStatus status_;
  std::string reason_;
};

// A failure that is not the client's, who gets to know that the log has the reason.
HttpError server_failure(const std::string& reason);
// Error that is sent to the client for the exception that is being handled.
HttpError current_http_error();

template <class... Args>
[[noreturn]] void throw_http_error(HttpStatus status, fmt::format_string<Args...> format,
                                   Args&&... args) {
  throw HttpError(status, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace heed
