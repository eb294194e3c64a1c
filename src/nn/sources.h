// Sources: outputs of encoders, inputs of attention.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "nn/tensor.h"

namespace heed {

inline constexpr const char* kEdges = "edges";  // [R,S,S] true where the row sees the column
inline constexpr const char* kTag = "tag";      // [R] int64, index of the sentence's tag

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

// Dimensions of a source, known from the config.
struct SourceSpec {
  int64_t key = 0, value = 0;  // widths
  bool ordered = true;         // whether its positions are in order, as in text
  int64_t chunk = 0;           // width of the states of its chunks; 0: there are none
};

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
