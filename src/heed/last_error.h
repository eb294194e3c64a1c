// The message of heed_last_error().
#pragma once

#include <string>

namespace heed {

// Of this thread; "" before the first.
const std::string& last_error();
// Keeps the message, or the former one where memory is exhausted.
void keep_last_error(const std::string& message) noexcept;

}  // namespace heed
