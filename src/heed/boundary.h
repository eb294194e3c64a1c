// The border between the library and its callers: heed's own errors become those of the interface.
#pragma once

#include <exception>
#include <filesystem>
#include <new>
#include <string>

#include "base/error.h"
#include "heed/translator_v0.h"

namespace heed {

// The exception that is being handled, as one of the interface.
[[noreturn]] void rethrow_as_public();

template <class Function>
auto with_public_errors(const Function& function) {
  try {
    return function();
  } catch (...) {
    rethrow_as_public();
  }
}

}  // namespace heed
