// Attention of a recurrent decoder over its sources (sources_attention_shape.h).
#pragma once

#include <memory>
#include <vector>

#include "inference/sources_attention_shape.h"
#include "inference/state_attention.h"

namespace heed {

// Sums of the weights of each part.
class CoverageOfParts {
 public:
  explicit CoverageOfParts(size_t parts) : parts_(parts) {}
  CoverageSums& of(size_t part) { return parts_[part]; }
  void add_rows(int64_t count) {
    for (CoverageSums& part : parts_) part.add_rows(count);
  }
  void gather(const std::vector<int64_t>& rows) {
    for (CoverageSums& part : parts_) part.gather(rows);
  }
  void join(const CoverageOfParts& more) {
    for (size_t i = 0; i < parts_.size(); ++i) parts_[i].join(more.parts_[i]);
  }

 private:
  std::vector<CoverageSums> parts_;
};

class SourcesAttention {
 public:
  // Buffers for intermediate results.
  struct Workspace {
    StateAttention::Workspace part;
    std::vector<AlignedFloats> contexts, keys, values;  // of each part
    AlignedFloats asked, energies, scores, gathered;
  };

  virtual ~SourcesAttention() = default;
  // Keys and values of sentences, from their encoded sources.
  virtual std::vector<AttendedSources> sources(const std::vector<Encoded>& encoded,
                                               size_t sentences) const = 0;
  // Context vectors of all rows of `sentences`.  states [R,W] -> context [R,V]
  // The weights over the first source that is read are added to `weights`; nullptr: not computed.
  virtual void attend(const float* states, const Sentences<AttendedSources>& sentences,
                      StepWeights* weights, CoverageOfParts& coverage, Workspace& room,
                      AlignedFloats& context) const = 0;
};

std::unique_ptr<const SourcesAttention> make_attention(const SourcesAttentionShape& shape,
                                                       const Packer& packer, const Kernels& set);

}  // namespace heed
