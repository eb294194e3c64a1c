// Batches as tensors: ids padded at the end to the longest of the batch.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "data/example.h"
#include "nn/sources.h"
#include "nn/tensor.h"

namespace heed {

struct SourceBatch {
  Tensor ids;      // [R,S] int64, kPad behind the end; ends in kEnd
  Tensor mask;     // [R,S]
  Tensor lengths;  // [R] with kEnd
  SentenceFeatures features;
  // [R,S] if the target may copy: the target id of each position (Copyable), kPad behind the end.
  Tensor copies;
  std::vector<Tensor> factors;  // [R,S] of each factor by name: the labels, kEnd and kPad like ids
};

// All sources of a batch by name.
struct SourceBatches {
  explicit SourceBatches(int64_t sentences) : rows(sentences) {}
  SourceBatches(std::map<std::string, SourceBatch> batches);  // one at least
  int64_t rows;                                               // sentences
  std::map<std::string, SourceBatch> named{};                 // none: a language model's
};

struct TargetBatch {
  Tensor inputs;       // [R,T] kBegin, then the target
  Tensor outputs;      // [R,T] the target, then kEnd; kPad behind it
  int64_t tokens = 0;  // outputs that count
};

// may_lack: an empty sentence lacks this source; its length is 0, without kEnd.
SourceBatch source_batch(const std::vector<Ids>& sentences, torch::Device device,
                         bool may_lack = false);
// The edges of each of its sentences, as kEdges of its features; those of pieces that were cut off
// are left out.
void put_edges(SourceBatch& batch, const std::vector<Edges>& edges);
// The index of the tag of each of its sentences, as kTag of its features.
void put_tags(SourceBatch& batch, const std::vector<int64_t>& tags);
// factors: of each factor the labels of each sentence, cut to its length.
void put_factors(SourceBatch& batch, const std::vector<std::vector<Ids>>& factors);
// Ids that can be copied from each of its sentences, cut to the length of the sentence.
void put_copyable(SourceBatch& batch, const std::vector<Copyable>& copyable);
// All sources by name, with features and ids to copy.
SourceBatches source_batches(const std::vector<const Example*>& examples,
                             const std::vector<std::string>& names, torch::Device device);
SourceBatches source_batches(const std::vector<Example>& examples,
                             const std::vector<std::string>& names, torch::Device device);
TargetBatch target_batch(const std::vector<Ids>& sentences, torch::Device device);

}  // namespace heed
