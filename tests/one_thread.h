// As the program does: workers share the cores, not the operations. In what tests compute, threads
// inside an operation only get in each other's way.
#pragma once

#include "nn/torch.h"

namespace heed {

inline const bool kOneThread = [] {
  torch::set_num_threads(1);
  return true;
}();

}  // namespace heed
