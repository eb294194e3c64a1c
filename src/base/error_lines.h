// Several errors of one input at once, such as all mistakes of a config.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace heed {

// Printed a line each. what() has them all, one below the other.
class ErrorLines : public Error {
 public:
  ErrorLines(ErrorKind kind, std::vector<std::string> lines)
      : Error(kind, fmt::format("{}", fmt::join(lines, "\n"))), lines_(std::move(lines)) {}
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

}  // namespace heed
