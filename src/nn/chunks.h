// Chunks of a source: the sentences of a document, one behind the other.
#pragma once

#include "nn/sources.h"
#include "nn/tensor.h"

namespace heed {

// Index of the chunk of each position, from 0. marks [R,S]: true at the last position of a chunk.
// [R,S]
Tensor chunks_of(const Tensor& marks);

// Number of chunks of each row; 0 without readable positions.  [R]
Tensor chunk_counts(const Tensor& chunks, const Tensor& mask);

// Positions of each chunk: true at [r,c,s] if position s is readable and in chunk c.  [R,C,S]
Tensor chunk_members(const Tensor& chunks, const Tensor& mask, int64_t count);

}  // namespace heed
