#include "model/batch_tensors.h"

#include <algorithm>

#include "nn/torch.h"

#include "base/error.h"

namespace heed {

namespace {

// Tensor with room for the longest sentence and one more token, filled with kPad. [R,S]
Tensor padded(const std::vector<Ids>& sentences) {
  size_t longest = 0;
  for (const Ids& ids : sentences) longest = std::max(longest, ids.size());
  return torch::full({static_cast<int64_t>(sentences.size()), static_cast<int64_t>(longest) + 1},
                     kPad, torch::kLong);
}

int64_t* row_of(Tensor& tensor, size_t row) {
  return tensor.mutable_data_ptr<int64_t>() + static_cast<int64_t>(row) * tensor.size(1);
}

// Copies the ids of each sentence to its tokens, then kEnd and kPad.  [R,S]
template <class IdsOf>
Tensor along_tokens(const SourceBatch& batch, const IdsOf& ids_of) {
  const Tensor lengths = batch.lengths.to(torch::kCPU);
  Tensor ids = torch::full(batch.ids.sizes(), kPad, torch::kLong);
  for (int64_t r = 0; r < lengths.size(0); ++r) {
    const int64_t end = lengths[r].item<int64_t>() - 1;  // position of kEnd
    const auto row = static_cast<size_t>(r);
    if (end < 0) continue;
    HEED_CHECK(std::ssize(ids_of(row)) >= end);
    *std::copy_n(ids_of(row).begin(), end, row_of(ids, row)) = kEnd;
  }
  return ids.to(batch.ids.device());
}

// Labels of each sentence, for each factor of a source.
std::vector<std::vector<Ids>> factors_of(const std::vector<const Example*>& examples,
                                         size_t source) {
  std::vector<std::vector<Ids>> factors;
  for (const Example* example : examples) {
    const auto& own = example->factors.at(source);
    factors.resize(own.size());
    for (size_t i = 0; i < own.size(); ++i) factors[i].push_back(own[i]);
  }
  return factors;
}

}  // namespace

SourceBatch source_batch(const std::vector<Ids>& sentences, torch::Device device, bool may_lack) {
  SourceBatch batch;
  batch.ids = padded(sentences);
  std::vector<int64_t> lengths;
  for (size_t r = 0; r < sentences.size(); ++r) {
    const bool lacks = may_lack && sentences[r].empty();
    int64_t* end = std::copy(sentences[r].begin(), sentences[r].end(), row_of(batch.ids, r));
    if (!lacks) *end = kEnd;
    lengths.push_back(lacks ? 0 : static_cast<int64_t>(sentences[r].size()) + 1);
  }
  batch.ids = batch.ids.to(device);
  batch.lengths = torch::tensor(lengths, torch::kLong).to(device);
  batch.mask = length_mask(batch.lengths, batch.ids.size(1));
  return batch;
}

SourceBatches::SourceBatches(std::map<std::string, SourceBatch> batches)
    : rows(batches.begin()->second.ids.size(0)), named(std::move(batches)) {}

void put_edges(SourceBatch& batch, const std::vector<Edges>& edges) {
  const int64_t size = batch.ids.size(1);
  Tensor seen = torch::zeros({batch.ids.size(0), size, size}, torch::kBool);
  bool* matrix = seen.mutable_data_ptr<bool>();
  const Tensor lengths = batch.lengths.to(torch::kCPU);
  for (size_t r = 0; r < edges.size(); ++r, matrix += size * size) {
    const int64_t end = lengths[static_cast<int64_t>(r)].item<int64_t>() - 1;  // position of kEnd
    for (const auto& [i, j] : edges[r]) {
      if (std::max(i, j) < end) matrix[i * size + j] = true;
    }
  }
  batch.features[kEdges] = seen.to(batch.ids.device());
}

void put_tags(SourceBatch& batch, const std::vector<int64_t>& tags) {
  batch.features[kTag] = torch::tensor(tags, torch::kLong).to(batch.ids.device());
}

void put_factors(SourceBatch& batch, const std::vector<std::vector<Ids>>& factors) {
  for (const std::vector<Ids>& labels : factors) {
    const auto of_sentence = [&](size_t r) -> const Ids& { return labels[r]; };
    batch.factors.push_back(along_tokens(batch, of_sentence));
  }
}

void put_copyable(SourceBatch& batch, const std::vector<Copyable>& copyable) {
  batch.copies = along_tokens(batch, [&](size_t r) -> const Ids& { return copyable[r].ids; });
}

SourceBatches source_batches(const std::vector<const Example*>& examples,
                             const std::vector<std::string>& names, torch::Device device) {
  HEED_CHECK(!examples.empty());
  SourceBatches batches(static_cast<int64_t>(examples.size()));
  for (size_t i = 0; i < names.size(); ++i) {
    std::vector<Ids> sentences;
    for (const Example* example : examples) sentences.push_back(example->sources.at(i));
    SourceBatch batch = source_batch(sentences, device, names.size() > 1);
    if (!examples.front()->factors.empty()) put_factors(batch, factors_of(examples, i));
    batches.named.emplace(names[i], std::move(batch));
  }
  const Example& first = *examples.front();
  if (first.edges) {
    std::vector<Edges> edges;
    for (const Example* example : examples) edges.push_back(example->edges.value());
    put_edges(batches.named.at(names.front()), edges);
  }
  if (first.tag) {
    std::vector<int64_t> tags;
    for (const Example* example : examples) tags.push_back(example->tag.value());
    for (auto& [name, batch] : batches.named) put_tags(batch, tags);
  }
  if (first.copyable) {
    std::vector<Copyable> copyable;
    for (const Example* example : examples) copyable.push_back(example->copyable.value());
    put_copyable(batches.named.at(names.at(first.copied)), copyable);
  }
  return batches;
}

SourceBatches source_batches(const std::vector<Example>& examples,
                             const std::vector<std::string>& names, torch::Device device) {
  std::vector<const Example*> all;
  for (const Example& example : examples) all.push_back(&example);
  return source_batches(all, names, device);
}

TargetBatch target_batch(const std::vector<Ids>& sentences, torch::Device device) {
  TargetBatch batch;
  batch.inputs = padded(sentences);
  batch.outputs = batch.inputs.clone();
  for (size_t r = 0; r < sentences.size(); ++r) {
    const Ids& ids = sentences[r];
    int64_t* input = row_of(batch.inputs, r);
    *input = kBegin;
    std::copy(ids.begin(), ids.end(), input + 1);
    *std::copy(ids.begin(), ids.end(), row_of(batch.outputs, r)) = kEnd;
    batch.tokens += static_cast<int64_t>(ids.size()) + 1;
  }
  batch.inputs = batch.inputs.to(device);
  batch.outputs = batch.outputs.to(device);
  return batch;
}

}  // namespace heed
