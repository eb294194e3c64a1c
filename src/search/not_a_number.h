// The error for probabilities that are NaN, which engines of search and scoring share.
#pragma once

#include "base/error.h"

namespace heed {

// Error(kModel). Training catches it: there it is a sign that training diverged.
class NotANumber final : public Error {
 public:
  NotANumber();
};

[[noreturn]] void throw_not_a_number();

}  // namespace heed
