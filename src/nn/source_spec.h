// The sources of an attention, as a config has them: dimensions and names, without tensors.
#pragma once

#include <cstdint>

namespace heed {

// Sentence features.
inline constexpr const char* kEdges = "edges";    // [R,S,S] true where the row sees the column
inline constexpr const char* kTag = "tag";        // [R] int64, index of the sentence's tag
inline constexpr const char* kChunks = "chunks";  // [R,S] index of the chunk of each position
inline constexpr const char* kChunkStates = "chunk_states";  // [R,C,W] state of each chunk
inline constexpr const char* kWordStates = "word_states";    // [R,S,V] values of the source

// Dimensions of a source, known from the config.
struct SourceSpec {
  int64_t key = 0, value = 0;  // widths
  bool ordered = true;         // whether its positions are in order, as in text
  int64_t chunk = 0;           // width of the states of its chunks; 0: there are none
};

}  // namespace heed
