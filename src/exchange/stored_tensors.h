// State dict of a pickle by torch.save(): the tensors, and the positions of their elements in its
// storages.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/json_file.h"
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

// Reads the pickle of a state dict at the beginning of `bytes`. Checks that every tensor is within its
// storage. Throws PickleError if the pickle is not a dictionary of named tensors.
StateDict read_state_dict(std::string_view bytes);

// The pickle of a checkpoint: a dictionary whose entries are state dicts and other values.
struct CheckpointContents {
  StateDict tensors;  // of the chosen state dicts
  // The chosen other values. A tuple is a list, a dictionary or an argparse.Namespace an object;
  // tensors, and objects of other classes, are null.
  Json values;
};
// Keys of state dicts, with the prefixes that their tensors get, and keys of other values. Those
// that a checkpoint lacks, or has as None, are left out.
struct CheckpointKeys {
  std::map<std::string, std::string> state_dicts;
  std::vector<std::string> values;
};
// Throws PickleError.
CheckpointContents read_checkpoint(std::string_view bytes, const CheckpointKeys& keys);

}  // namespace heed
