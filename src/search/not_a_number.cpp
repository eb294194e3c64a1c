#include "search/not_a_number.h"

#include "base/error.h"

namespace heed {

void throw_not_a_number() {
  throw_error(ErrorKind::kModel,
              "the model gives probabilities that are not numbers: its parameters are damaged or "
              "its training diverged; use an earlier checkpoint");
}

}  // namespace heed
