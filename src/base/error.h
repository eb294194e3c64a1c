// Two kinds of errors.
//
// An Error is caused by the user. It is thrown anywhere and caught once, in main, which prints its
// message and exits with the code of its kind. The message names the place, what was found, what
// was expected and what to do. An InternalError is a bug of this program, raised by HEED_CHECK; no
// user input causes one.
#pragma once

#include <stdexcept>
#include <string>

#include <spdlog/fmt/fmt.h>

namespace heed {

// The values are the documented exit codes.
enum class ErrorKind {
  kFailure = 1,   // nothing below fits
  kUsage = 2,     // command line or config
  kData = 3,      // input text that cannot be used
  kModel = 4,     // a model or checkpoint that is missing, damaged or of another kind
  kIo = 5,        // a file cannot be opened or written, the disk is full
  kDiverged = 6,  // training: loss or gradients stayed not finite
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }
  int exit_code() const { return static_cast<int>(kind_); }

 private:
  ErrorKind kind_;
};

// throw_error(ErrorKind::kData, "{}: {} lines, but {}: {} lines", …)
template <class... Args>
[[noreturn]] void throw_error(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(kind, fmt::format(format, std::forward<Args>(args)...));
}

// First line of a message: libraries append a stack trace to their messages.
std::string first_line(const std::string& message);

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void fail_check(const char* condition, const char* file, int line,
                             const std::string& message);

}  // namespace heed

// HEED_CHECK(condition) or HEED_CHECK(condition, "format {}", arguments…); always on.
#define HEED_CHECK(condition, ...)                                                       \
  do {                                                                                   \
    if (!(condition)) [[unlikely]]                                                       \
      ::heed::fail_check(#condition, __FILE__, __LINE__, ::fmt::format("" __VA_ARGS__)); \
  } while (false)
