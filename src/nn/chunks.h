// Chunks of a source: the sentences of a document, one behind the other.
#pragma once

#include "nn/sources.h"
#include "nn/tensor.h"

namespace heed {

// Sentence features.
inline constexpr const char* kChunks = "chunks";  // [R,S] the number of the chunk of each position
inline constexpr const char* kChunkStates = "chunk_states";  // [R,C,W] what is known of each chunk

// marks [R,S], true where a chunk ends: the number of the chunk of each position, from 0; a mark belongs
// to the chunk that it ends.  [R,S]
Tensor chunks_of(const Tensor& marks);

// How many chunks each row has: none where nothing is readable.  [R]
Tensor chunk_counts(const Tensor& chunks, const Tensor& mask);

// Which positions belong to which chunk: true at [r,c,s] if position s is readable and of chunk c.  [R,C,S]
Tensor chunk_members(const Tensor& chunks, const Tensor& mask, int64_t count);

}  // namespace heed
