// Names of the tensors in the adapter of a run with train.lora: MATRIX.lora_A [..,r,I] and
// MATRIX.lora_B [..,O,r] of rank r.
#pragma once

namespace heed {

inline constexpr const char *kAdapterA = ".lora_A", *kAdapterB = ".lora_B";

}  // namespace heed
