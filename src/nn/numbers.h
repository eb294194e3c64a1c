// The elements of a tensor of any device and type, row after row, for code without tensors.
#pragma once

#include <vector>

#include "nn/tensor.h"

namespace heed {

template <class T>
std::vector<T> numbers_of(const Tensor& x) {
  const Tensor flat = x.to(torch::kCPU, c10::CppTypeToScalarType<T>::value).contiguous();
  const T* data = flat.const_data_ptr<T>();
  return {data, data + flat.numel()};
}

}  // namespace heed
