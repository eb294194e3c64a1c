// Attention of a decoder over the states of an encoder, one sentence's keys and values shared by its
// hypotheses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inference/packer.h"
#include "inference/sentences.h"
#include "inference/source_encoder.h"
#include "inference/state_attention_shape.h"
#include "kernels/aligned.h"

namespace heed {

// Keys and values of a source.
struct SourceStates {
  int64_t keys = 0, padded = 0;  // S, and S padded to whole vectors
  AlignedFloats keys_of;         // products [A,padded], additive scores [S,A]
  AlignedFloats values_of;       // [S,V]
};
// Keys and values of a sentence, for each attention over it.
using AttendedSources = std::vector<SourceStates>;

// The sum of the attention weights of each row so far, for scores with coverage.
class CoverageSums {
 public:
  void add_rows(int64_t count) { sums_.resize(sums_.size() + static_cast<size_t>(count)); }
  // Sums of `size` weights, at first 0.
  AlignedFloats& of(int64_t row, int64_t size) {
    if (sums_[row].empty()) sums_[row].assign(static_cast<size_t>(size), 0.0F);
    return sums_[row];
  }
  void gather(const std::vector<int64_t>& rows);
  void join(const CoverageSums& more);

 private:
  std::vector<AlignedFloats> sums_;  // [H·S] of each row; empty before the first step
};

// A: width of queries and keys; V: width of the encoder; W: width of the states that it reads.
class StateAttention {
 public:
  // Buffers for intermediate results.
  struct Workspace {
    AlignedFloats queries, context, scores, covered_keys;
  };

  // name: of its parameters; number: among the attentions over a sentence
  StateAttention(const StateAttentionShape& shape, const std::string& name, size_t number,
                 const Packer& packer, const Kernels& set);

  // Adds those of each sentence to its sources.
  void add_sources(const Encoded& encoded, std::vector<AttendedSources>& to) const;
  // Projections of the states of an encoder; x itself without one.  x [count,·] -> [count,A], [count,V]
  const float* keys_of(const float* x, int64_t count, AlignedFloats& room) const;
  const float* values_of(const float* x, int64_t count, AlignedFloats& room) const;
  // keys, values: the projections of all states of a sentence
  void set_source(const float* keys, const float* values, int64_t count,
                  SourceStates& source) const;
  // Context vectors of all rows of `sentences`.  states [R,W] -> context [R,V]
  // A sentence without keys has the context vector 0.
  // The mean of the weights over the heads is added to `weights`; nullptr: not computed. The weights
  // are added to `coverage`, if the scores have it.
  void attend(const float* states, const Sentences<AttendedSources>& sentences,
              StepWeights* weights, CoverageSums& coverage, Workspace& room,
              AlignedFloats& context) const;
  // The same for the states of one sentence, without coverage.  states [rows,W] -> context [rows,V]
  void attend_sentence(const SourceStates& source, const float* states, int64_t rows,
                       Workspace& room, float* context) const;

 private:
  // The hypotheses of one sentence.
  struct Group {
    const SourceStates& source;
    int64_t first, count;  // rows; B
    const float* queries;  // [B,A]
    float* context;        // [B,V]
    float* mean;           // of the weights [B,S], rows mean_stride apart; nullptr: not computed
    int64_t mean_stride;
  };
  // states [R,W] -> [R,A]
  const float* queries_of(const float* states, int64_t rows, AlignedFloats& room) const;
  // coverage: nullptr without it
  void attend(const Group& group, CoverageSums* coverage, Workspace& room) const;
  void attend_by_products(const Group& group, AlignedFloats& scores) const;
  void attend_additive(const Group& group, CoverageSums* coverage, Workspace& room) const;
  // Keys of head h, with the coverage of a query.
  const float* covered(const SourceStates& source, const float* sums, int64_t h,
                       AlignedFloats& keys) const;

  StateAttentionShape shape_;
  size_t number_;
  int64_t value_width_;  // V
  const Kernels& set_;
  // No outputs: it is not projected. Queries times 1/√D where scores are scaled.
  PackedMatrix query_, key_, value_;  // [A,W], [A,V], [V,V]
  PackedMatrix heads_;                // [V,V], of the joined heads
  AlignedFloats v_;                   // [A], of additive scores
  AlignedFloats coverage_;            // [A], of the sum of the weights
};

}  // namespace heed
