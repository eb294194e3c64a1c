// Tables of positions that other toolkits store.
#pragma once

#include <optional>
#include <string>

#include "nn/tensor.h"

namespace heed {

// The `layout` of sinusoidal positions (nn/positions.h) that a table [P,W] has; nullopt: it is
// another table. Its numbers may be rounded as float32 rounds angles, which are larger from row to
// row; those of 16 bits are not the same.
std::optional<std::string> sinusoid_layout_of(const Tensor& table);

}  // namespace heed
