#include "nn/attention/scores/additive.h"

#include <gtest/gtest.h>

#include "nn/attention/heads.h"
#include "nn/compare.h"
#include "nn/torch.h"

namespace heed {
namespace {

// Single precision uses the kernel, double precision the operations of libtorch.
TEST(AdditiveScores, EqualTheOperations) {
  constexpr int64_t kRows = 3, kHeads = 2, kQueries = 4, kKeys = 7, kWidth = 19;
  for (const bool own_keys : {false, true}) {
    const auto run = [&](torch::ScalarType type) {
      const auto leaf = [&](c10::IntArrayRef shape, const char* name) {
        return uniform(shape, name, 2).to(type).requires_grad_();
      };
      const Tensor queries = leaf({kRows, kQueries, kHeads * kWidth}, "queries"),
                   keys = leaf({kRows, kHeads, own_keys ? kQueries : 1, kKeys, kWidth}, "keys"),
                   v = leaf({kHeads, kWidth}, "v");
      const Tensor scores = additive_scores(split_heads(queries, kHeads), keys, v);
      EXPECT_EQ(scores.sizes(), (c10::IntArrayRef{kRows, kHeads, kQueries, kKeys}));
      (scores * uniform(scores.sizes(), "weights of the loss").to(type)).sum().backward();
      return std::vector<Tensor>{scores.detach(), queries.grad(), keys.grad(), v.grad()};
    };
    const auto exact = run(torch::kDouble), single = run(torch::kFloat);
    for (size_t i = 0; i < exact.size(); ++i)
      expect_close(single[i].to(torch::kDouble), exact[i], 2e-5, std::to_string(i));
  }
}

}  // namespace
}  // namespace heed
