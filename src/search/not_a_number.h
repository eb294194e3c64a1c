// The error for probabilities that are NaN, which engines of search and scoring share.
#pragma once

namespace heed {

// Error(kModel).
[[noreturn]] void throw_not_a_number();

}  // namespace heed
