#include "heed/last_error.h"

namespace heed {

namespace {

std::string& of_this_thread() {
  thread_local std::string message;
  return message;
}

}  // namespace

const std::string& last_error() { return of_this_thread(); }

void keep_last_error(const std::string& message) noexcept try {
  of_this_thread() = message;
} catch (...) {
  // It says nothing then.
}

}  // namespace heed
