#include "search/not_a_number.h"

namespace heed {

NotANumber::NotANumber()
    : Error(ErrorKind::kModel,
            "the model gives probabilities that are not numbers: its parameters are damaged or "
            "its training diverged; use an earlier checkpoint") {}

void throw_not_a_number() { throw NotANumber(); }

}  // namespace heed
