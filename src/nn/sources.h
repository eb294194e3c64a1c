// What encoders give and attentions read.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "nn/tensor.h"

namespace heed {

inline constexpr const char* kEdges = "edges";  // [R,S,S] true where the row sees the column
inline constexpr const char* kTag = "tag";      // [R] int64, the number of the sentence's tag

// What a sentence has besides its tokens, by name: edges, chunks, tag.
using SentenceFeatures = std::map<std::string, Tensor>;

struct Source {
  Tensor keys;       // [R,S,W]
  Tensor values;     // [R,S,V]; the keys where an encoder does not tell them apart
  Tensor mask;       // [R,S]
  Tensor lengths;    // [R] readable positions of each row
  Tensor positions;  // [R,S]
  SentenceFeatures features;
};
using Sources = std::map<std::string, Source>;

// What an attention has to know of a source before a tensor exists.
struct SourceSpec {
  int64_t key = 0, value = 0;  // widths
  bool ordered = true;         // whether its positions stand in an order, as those of text do
  int64_t chunk = 0;           // width of the states of its chunks; 0: there are none
};

// One source of states that are keys and values alike; mask and positions from the lengths.
Source make_source(const Tensor& states, const Tensor& lengths);
// 0, 1, 2, … in each row.  [R,S]
Tensor positions_of(const Tensor& lengths, int64_t size);
// [R,S], true before each row's length.
Tensor length_mask(const Tensor& lengths, int64_t size);
// The same share of each position [R,S] that the mask leaves; 0 where it leaves none.  [R,S] of the
// type of `x`
Tensor uniform_weights(const Tensor& mask, const Tensor& x);
// The mean of the states [R,S,W] that the mask [R,S] leaves; 0 where it leaves none.  [R,W]
Tensor mean_state(const Tensor& states, const Tensor& mask);

}  // namespace heed
