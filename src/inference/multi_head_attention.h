// Multi-head attention of a Transformer without libtorch, over contiguous rows [rows,W]: to the
// tokens of a sentence, to the target so far, and to the source.
#pragma once

#include <cstdint>
#include <vector>

#include "inference/attention_shape.h"
#include "inference/head_norms.h"
#include "inference/head_positions.h"
#include "inference/packer.h"
#include "inference/sentences.h"
#include "inference/source_memory.h"
#include "inference/sublayers.h"
#include "inference/target_memory.h"

namespace heed {

class SelfAttention {
 public:
  SelfAttention(const MultiHeadShape& shape, const names::AttentionNames& name,
                const Packer& packer, const Kernels& set);

  // Attends to all tokens of a sentence, those of rows begins[i] to begins[i+1].  x, y [rows,W]
  void attend_sentences(const std::vector<int64_t>& begins, const std::vector<int64_t>& positions,
                        const float* x, float* y, Workspace& room) const;
  // Writes keys and values of the last token of each row, and attends to those of its path.
  void attend_past(TargetMemory& past, int64_t layer, const std::vector<int64_t>& positions,
                   const float* x, float* y, Workspace& room) const;

 private:
  int64_t stride() const { return shape_.queries() + shape_.keys() + shape_.values(); }
  // Queries, keys and values [rows,stride()] in room.projected.
  void project(const float* x, const std::vector<int64_t>& positions, Workspace& room) const;
  void attend_sentence(int64_t begin, int64_t count, Workspace& room) const;
  // Scores of all queries by relative position, before the queries attend.
  void start_distances(int64_t rows, Workspace& room) const;
  // Attention of the query of a row to keys and values of `view`, with its positions.
  void attend_rows(int64_t row, const KeyRange& keys, RowsView view, Workspace& room) const;
  // Adds the vectors of relative values to the contexts of all queries.
  void finish_distances(int64_t rows, Workspace& room) const;

  MultiHeadShape shape_;
  const Kernels& set_;
  HeadNorms norms_;
  HeadRotation rotation_;
  DistanceBiases biases_;
  RelativeVectors relative_keys_, relative_values_;
  PackedMatrix queries_keys_values_;  // [H·D + G·D + G·V, W]
  PackedMatrix output_;               // [W, H·V]
};

class CrossAttention {
 public:
  CrossAttention(const MultiHeadShape& shape, const names::AttentionNames& name,
                 const Packer& packer, const Kernels& set);

  // Keys and values [tokens, G·D + G·V] of encoder outputs, in room.projected.
  void project_source(const float* x, int64_t tokens, Workspace& room) const;
  // Adds the mean weights of the heads, or of `chosen` ones, to `weights`; nullptr: not wanted.
  // positions: of the tokens
  void attend(const Sentences<SourceMemory>& sentences, int64_t layer,
              const std::vector<int64_t>& positions, const float* x, float* y, StepWeights* weights,
              const std::vector<int64_t>& chosen, Workspace& room) const;

 private:
  MultiHeadShape shape_;
  const Kernels& set_;
  HeadNorms norms_;
  PackedMatrix queries_;      // [H·D, W]
  PackedMatrix keys_values_;  // [G·D + G·V, W of the encoder]
  PackedMatrix output_;       // [W, H·V]
};

}  // namespace heed
