// The best tokens of each row of log-probabilities.
#pragma once

#include <cstdint>
#include <vector>

#include "nn/tensor.h"

namespace heed {

// On the CPU; each row best first, ties by the lower id.
struct TopK {
  int64_t count = 0;                    // of each row
  std::vector<double> log_probability;  // [R·count]; -inf behind the last possible one
  std::vector<int32_t> id;              // [R·count]; -1 there
  std::vector<double> end;              // [R] log-probability of kEnd
};

// log_probs [R,V]. `count` is lowered to V. Error(kModel) if one of them is not a number.
TopK top_k(const Tensor& log_probs, int64_t count);
// The same by operations of any device.
TopK top_k_by_sorting(const Tensor& log_probs, int64_t count);

}  // namespace heed
