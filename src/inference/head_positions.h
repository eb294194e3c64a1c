// Positions in the scores and read-outs of self-attention: rotations, numbers for each distance, and
// vectors of relative positions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "inference/attention_shape.h"
#include "inference/packer.h"

namespace heed {

// Rotates the features 2i and 2i+1 of each head by the angle of its position (nn/attention/rotation.h).
class HeadRotation {
 public:
  explicit HeadRotation(const MultiHeadShape& shape);
  // Rotates the heads of rows of x in place, `stride` apart.
  void operator()(float* x, int64_t heads, int64_t stride,
                  const std::vector<int64_t>& positions) const;

 private:
  // cos and sin of each frequency.  to [D/2,2]
  void write(int64_t position, float* to) const;

  std::vector<double> frequencies_;  // [D/2]; empty: no rotation
  std::vector<float> table_;         // [positions,D/2,2]
};

// Keys 0 to `count` that a query at position `query` reads.
struct KeyRange {
  int64_t query = 0, count = 0;
};

// Numbers that are added to the scores, by head and distance: the sum of alibi and bucket_bias.
class DistanceBiases {
 public:
  DistanceBiases(const MultiHeadShape& shape, const names::AttentionNames& name,
                 const Packer& packer);
  bool empty() const { return terms_.empty(); }
  // Adds those of a query to `bias` [H,stride].
  void add(const KeyRange& keys, int64_t stride, float* bias) const;

 private:
  struct Term {
    DistanceTermShape shape;
    std::vector<float> bias;  // [buckets,H]
  };
  float of(int64_t head, int64_t distance) const;

  int64_t heads_;
  std::vector<Term> terms_;
  std::vector<float> slopes_;  // [H] of alibi
  std::vector<float> table_;   // [H,2·reach - 1], by distance
};

// Relative position embeddings (Shaw et al. 2018), shared by all heads: clip(j - i, -k, k) selects one
// of 2k+1 vectors.
class RelativeVectors {
 public:
  RelativeVectors() = default;  // none
  // to_vectors: products with weights by distance; otherwise with vectors of the heads
  RelativeVectors(const std::string& table, int64_t clip, bool to_vectors, const Packer& packer,
                  const Kernels& set);
  bool empty() const { return vectors_.outputs() == 0; }
  int64_t count() const { return 2 * clip_ + 1; }
  int64_t row(int64_t distance) const { return std::clamp(distance, -clip_, clip_) + clip_; }
  // q·r of heads of queries [rows,D] -> [rows,2k+1], or Σ a r of weights [rows,2k+1] -> [rows,V].
  const PackedMatrix& vectors() const { return vectors_; }

 private:
  int64_t clip_ = 0;
  PackedMatrix vectors_;
};

}  // namespace heed
