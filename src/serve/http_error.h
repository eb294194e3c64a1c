// An error that answers a request.
#pragma once

#include <stdexcept>
#include <string>

#include <spdlog/fmt/fmt.h>

namespace heed {

// Status codes of RFC 9110 and 6585.
enum class HttpStatus {
  kOk = 200,
  kBadRequest = 400,
  kUnauthorized = 401,
  kForbidden = 403,
  kNotFound = 404,
  kMethodNotAllowed = 405,
  kContentTooLarge = 413,
  kUnprocessable = 422,  // a line that the model cannot read
  kTooManyRequests = 429,
  kClientClosed = 499,  // the client is gone; only for the metrics, as in nginx
  kInternal = 500,
  kUnavailable = 503,
  kTimeout = 504,
};

class HttpError : public std::runtime_error {
 public:
  HttpError(HttpStatus status, const std::string& message)
      : std::runtime_error(message), status_(status) {}
  HttpStatus status() const { return status_; }

 private:
  HttpStatus status_;
};

// Answer for the exception that is being handled.
HttpError current_http_error();

template <class... Args>
[[noreturn]] void throw_http_error(HttpStatus status, fmt::format_string<Args...> format,
                                   Args&&... args) {
  throw HttpError(status, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace heed
