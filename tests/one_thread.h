// Uses one thread for each operation, as the program does: workers share the cores. In the small
// operations of tests, threads only slow each other down.
#pragma once

#include "nn/torch.h"

namespace heed {

inline const bool kOneThread = [] {
  torch::set_num_threads(1);
  return true;
}();

}  // namespace heed
