// The state dict that torch.save() has pickled: which tensors there are, and where in its storages
// the elements of each lie.
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
  // The first element, counted in elements of the storage, and what lies between two of each
  // dimension.
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

// From the beginning of the bytes. Every tensor lies within its storage. Throws PickleError for
// what is something else than tensors by their names.
StateDict read_state_dict(std::string_view pickle);

}  // namespace heed
