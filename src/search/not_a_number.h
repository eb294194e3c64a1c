// What engines and scoring say of probabilities that are NaN.
#pragma once

namespace heed {

// Error(kModel).
[[noreturn]] void throw_not_a_number();

}  // namespace heed
