// What the layers of a Transformer's decoder attend to of a source.
#pragma once

#include <algorithm>
#include <cstdint>

#include "inference/transformer_layers.h"
#include "inference/transposed_keys.h"

namespace heed {

// Keys and values of a source for each decoder layer: in float32, or in bfloat16.
class SourceMemory {
 public:
  // keys: S. width: W
  SourceMemory(int64_t keys, const TransformerLayers& model)
      : keys_(keys),
        padded_(model.padded(keys)),
        width_(model.shape.decoder.width),
        rounds_(model.rounds_source),
        set_(model.set) {
    const auto layers = static_cast<size_t>(model.shape.decoder.layers);
    const size_t key_size = layers * static_cast<size_t>(width_ * padded_),
                 value_size = layers * static_cast<size_t>(width_ * keys_);
    if (rounds_) {
      rounded_keys_.resize(key_size);
      rounded_values_.resize(value_size);
    } else {
      keys_of_.resize(key_size);
      values_of_.resize(value_size);
    }
  }

  // projected [S,2·W]: keys and values. transposed: work space
  void keep(int64_t layer, const float* projected, AlignedFloats& transposed) {
    const int64_t key_size = width_ * padded_, key_begin = layer * key_size, stride = 2 * width_;
    if (rounds_) transposed.resize(static_cast<size_t>(key_size));
    float* keys = rounds_ ? transposed.data() : keys_of_.data() + key_begin;
    transpose_keys(projected, keys_, stride, width_, padded_, keys);
    if (rounds_) set_.round_bf16(keys, width_, padded_, padded_, rounded_keys_.data() + key_begin);
    for (int64_t s = 0; s < keys_; ++s) {
      const float* value = projected + s * stride + width_;
      const int64_t at = (layer * keys_ + s) * width_;
      if (rounds_) {
        set_.round_bf16(value, 1, width_, width_, rounded_values_.data() + at);
      } else {
        std::copy_n(value, width_, values_of_.data() + at);
      }
    }
  }

  // Keys and values of a layer; the rest is to be filled in.
  AttentionView view(int64_t layer) const {
    AttentionView view{.key_count = keys_, .padded = padded_, .value_stride = width_};
    const int64_t key_begin = layer * width_ * padded_, value_begin = layer * keys_ * width_;
    if (rounds_) {
      view.rounded_keys = rounded_keys_.data() + key_begin;
      view.rounded_values = rounded_values_.data() + value_begin;
    } else {
      view.keys = keys_of_.data() + key_begin;
      view.values = values_of_.data() + value_begin;
    }
    return view;
  }

 private:
  int64_t keys_, padded_, width_;  // S, S padded to whole vectors, W
  bool rounds_;
  const Kernels& set_;
  AlignedFloats keys_of_;                            // [L][H][D][padded]
  AlignedFloats values_of_;                          // [L][S][W]
  Aligned<uint16_t> rounded_keys_, rounded_values_;  // the same
};

}  // namespace heed
