// State dict of a pickle by torch.save(): the tensors, and the positions of their elements in its
// storages.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "nn/tensor.h"

namespace heed {

struct StoredTensor {
  std::string storage;  // its key
  // First element and distances of elements in each dimension, counted in elements of the storage.
  int64_t offset = 0;
  std::vector<int64_t> sizes, strides;
};

struct TensorStorage {
  torch::ScalarType type;
  int64_t elements = 0;
  uint64_t bytes() const;
};

struct StateDict {
  std::map<std::string, StoredTensor> tensors;
  std::map<std::string, TensorStorage> storages;  // by key
  size_t size = 0;                                // bytes of the pickle
};

// Reads the state dict at the beginning of `pickle`. Checks that every tensor is within its
// storage. Throws PickleError if the pickle is not a dictionary of named tensors.
StateDict read_state_dict(std::string_view pickle);

}  // namespace heed
