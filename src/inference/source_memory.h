// Keys and values of a source that the layers of a Transformer decoder attend to.
#pragma once

#include <cstdint>

#include "inference/transformer_layers.h"
#include "inference/transposed_keys.h"
#include "kernels/number_array.h"

namespace heed {

// Keys and values of a source for each decoder layer.
class SourceMemory {
 public:
  // keys: S
  SourceMemory(int64_t keys, const TransformerLayers& model)
      : count_(keys),
        padded_(model.padded(keys)),
        width_(model.shape.decoder.width),
        keys_(model.rounds_memory, model.set),
        values_(model.rounds_memory, model.set) {
    keys_.resize(model.shape.decoder.layers * width_ * padded_);
    values_.resize(model.shape.decoder.layers * width_ * count_);
  }

  // projected [S,2·W]: keys and values. transposed: work space
  void keep(int64_t layer, const float* projected, AlignedFloats& transposed) {
    const int64_t stride = 2 * width_, size = width_ * padded_;
    transposed.resize(static_cast<size_t>(size));
    transpose_keys(projected, count_, stride, width_, padded_, transposed.data());
    keys_.write(layer * size, transposed.data(), size);
    for (int64_t s = 0; s < count_; ++s)
      values_.write((layer * count_ + s) * width_, projected + s * stride + width_, width_);
  }

  // Keys and values of a layer; the caller fills in the rest.
  AttentionView view(int64_t layer) const {
    return {.keys = keys_.view(layer * width_ * padded_),
            .values = values_.view(layer * width_ * count_),
            .key_count = count_,
            .padded = padded_,
            .value_stride = width_};
  }

 private:
  int64_t count_, padded_, width_;  // S, S padded to whole vectors, W
  NumberArray keys_;                // [L][H][D][padded]
  NumberArray values_;              // [L][S][W]
};

}  // namespace heed
