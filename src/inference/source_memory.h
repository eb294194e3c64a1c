// Keys and values of a source that the layers of a Transformer decoder attend to.
#pragma once

#include <cstdint>
#include <vector>

#include "inference/attention_shape.h"
#include "inference/transposed_keys.h"
#include "kernels/number_array.h"

namespace heed {

// Keys and values of a source for each decoder layer.
class SourceMemory {
 public:
  // keys: S. widths: of each layer; they outlive the memory
  SourceMemory(int64_t keys, const std::vector<MemoryWidths>& widths, const NumberArray& empty,
               int64_t lanes)
      : count_(keys),
        padded_(filled_up(keys, lanes)),
        widths_(widths),
        keys_(empty),
        values_(empty) {
    const MemoryWidths all = before(std::ssize(widths));
    keys_.resize(all.keys * padded_);
    values_.resize(all.values * count_);
  }

  // projected: S keys and values of the widths of the layer. transposed: work space
  void keep(int64_t layer, const float* projected, AlignedFloats& transposed) {
    const auto [keys, values] = widths_[layer];
    const auto [keys_before, values_before] = before(layer);
    const int64_t stride = keys + values, size = keys * padded_;
    transposed.resize(static_cast<size_t>(size));
    transpose_keys(projected, count_, stride, keys, padded_, transposed.data());
    keys_.write(keys_before * padded_, transposed.data(), size);
    for (int64_t s = 0; s < count_; ++s)
      values_.write(values_before * count_ + s * values, projected + s * stride + keys, values);
  }

  // Keys and values of a layer; the caller fills in the rest.
  AttentionView view(int64_t layer) const {
    const auto [keys_before, values_before] = before(layer);
    return {.keys = keys_.view(keys_before * padded_),
            .values = values_.view(values_before * count_),
            .key_count = count_,
            .padded = padded_,
            .value_stride = widths_[layer].values};
  }

 private:
  // Sums of the widths of the layers before this one.
  MemoryWidths before(int64_t layer) const {
    MemoryWidths sum;
    for (int64_t i = 0; i < layer; ++i) {
      sum.keys += widths_[i].keys;
      sum.values += widths_[i].values;
    }
    return sum;
  }

  int64_t count_, padded_;  // S, S padded to whole vectors
  const std::vector<MemoryWidths>& widths_;
  NumberArray keys_;    // of each layer [G][D][padded]
  NumberArray values_;  // of each layer [S][G·V]
};

}  // namespace heed
