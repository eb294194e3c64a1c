// Sources: outputs of encoders, inputs of attention.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "nn/source_spec.h"
#include "nn/tensor.h"

namespace heed {

// Sentence features by name: edges, chunks, tag.
using SentenceFeatures = std::map<std::string, Tensor>;

struct Source {
  Tensor keys;       // [R,S,W]
  Tensor values;     // [R,S,V]; same tensor as keys unless the encoder separates them
  Tensor mask;       // [R,S]
  Tensor lengths;    // [R] readable positions of each row
  Tensor positions;  // [R,S]
  SentenceFeatures features;
};
using Sources = std::map<std::string, Source>;

// One source of states that are keys and values alike; mask and positions from the lengths.
Source make_source(const Tensor& states, const Tensor& lengths);
// 0, 1, 2, … in each row.  [R,S]
Tensor positions_of(const Tensor& lengths, int64_t size);
// [R,S], true before each row's length.
Tensor length_mask(const Tensor& lengths, int64_t size);
// Equal weights over the positions of the mask [R,S]; 0 in a row without any. The type is that of
// `x`.  [R,S]
Tensor uniform_weights(const Tensor& mask, const Tensor& x);
// Mean of the states [R,S,W] over the positions of the mask [R,S]; 0 in a row without any.  [R,W]
Tensor mean_state(const Tensor& states, const Tensor& mask);

}  // namespace heed
