// Common part of the fuzzers: libFuzzer calls try_input with bytes, which may throw nothing but an
// Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/log.h"

namespace heed {

void try_input(std::string_view bytes);

// Cuts off and returns everything before the first `mark`; everything if there is none.
inline std::string take_until(std::string_view& bytes, char mark) {
  const size_t end = bytes.find(mark);
  const std::string part(bytes.substr(0, end));
  bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
  return part;
}

}  // namespace heed

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const bool quiet = [] {
    spdlog::set_level(spdlog::level::off);
    return true;
  }();
  static_cast<void>(quiet);
  try {
    heed::try_input({reinterpret_cast<const char*>(data), size});
  } catch (const heed::Error&) {
    // Errors of the user are expected.
  }
  return 0;
}
