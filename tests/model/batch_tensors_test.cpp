#include "model/batch_tensors.h"

#include <gtest/gtest.h>

#include "nn/torch.h"

namespace heed {
namespace {

TEST(BatchTensors, EdgesJoinPiecesThatAreThere) {
  // The sentences have three pieces and one. Edges to truncated pieces are left out, and no edge
  // leads to the end of a sentence.
  SourceBatch batch = source_batch({{5, 6, 7}, {8}}, torch::kCPU);
  put_edges(batch, {{{0, 2}, {2, 1}, {0, 3}}, {{0, 0}, {0, 1}, {1, 0}, {7, 7}}});
  const Tensor& edges = batch.features.at(kEdges);
  ASSERT_EQ(edges.sizes(), (c10::IntArrayRef{2, 4, 4}));
  Tensor expected = torch::zeros({2, 4, 4}, torch::kBool);
  expected[0][0][2] = expected[0][2][1] = expected[1][0][0] = true;
  EXPECT_TRUE(edges.equal(expected)) << edges;
}

TEST(BatchTensors, TagsStandBesideEverySource) {
  const std::vector<Example> examples = {
      {.sources = {{5, 6}, {7}}, .tag = 1, .target = {}},
      {.sources = {{5}, {}}, .tag = 0, .target = {}},
  };
  const SourceBatches batches = source_batches(examples, {"a", "b"}, torch::kCPU);
  const Tensor expected = torch::tensor({1, 0}, torch::kLong);
  for (const char* name : {"a", "b"})
    EXPECT_TRUE(batches.named.at(name).features.at(kTag).equal(expected)) << name;
}

}  // namespace
}  // namespace heed
