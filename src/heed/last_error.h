// The message of heed_last_error().
#pragma once

#include <string>

namespace heed {

// Last message of this thread; "" before the first.
const std::string& last_error();
// Stores the message; keeps the former one if memory is exhausted.
void keep_last_error(const std::string& message) noexcept;

}  // namespace heed
