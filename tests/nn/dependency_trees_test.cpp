// Probabilities of the arcs of projective dependency trees, beside all trees of short sentences.
#include "nn/attention/normalizers/dependency_trees.h"

#include <gtest/gtest.h>

#include "directional_gradient.h"
#include "nn/compare.h"
#include "reference/normalizers.h"
#include "reference/terms.h"

namespace heed {
namespace {

// Sentences of these lengths, the root included, with scores of this size.
struct Sentences {
  Sentences(const std::vector<int64_t>& lengths, double size)
      : count(std::ssize(lengths)),
        positions(*std::max_element(lengths.begin(), lengths.end()) + 1),
        scores(uniform({count, positions, positions}, "scores", size)),
        mask(torch::zeros({count, positions, positions}, torch::kBool)),
        roots(torch::tensor(lengths, torch::kLong) - 1) {
    for (int64_t b = 0; b < count; ++b)
      mask[b].narrow(1, 0, lengths[static_cast<size_t>(b)]).fill_(true);
  }
  Tensor probabilities() const { return arc_probabilities(scores, mask, roots); }
  Tensor expected() const {
    std::vector<Tensor> all;
    for (int64_t b = 0; b < count; ++b) {
      const reference::Mask own = reference::mask_of(
          static_cast<size_t>(positions), static_cast<size_t>(positions), [&](size_t i, size_t j) {
            return mask[b][static_cast<int64_t>(i)][static_cast<int64_t>(j)].item<bool>();
          });
      all.push_back(tensor_of(reference::dependency_trees(
          matrix_of(scores[b]), own, static_cast<size_t>(roots[b].item<int64_t>() + 1))));
    }
    return torch::stack(all);
  }

  int64_t count, positions;
  Tensor scores, mask, roots;
};

TEST(DependencyTrees, HaveTheProbabilitiesOfAllTrees) {
  for (const double size : {1.0, 5.0, 30.0}) {
    const Sentences sentences({1, 2, 3, 4, 5, 6}, size);
    expect_close(sentences.probabilities(), sentences.expected(), kExact, "p");
  }
}

// Every mask of the arcs between two words and a root, and some of longer sentences.
TEST(DependencyTrees, HaveNoProbabilityWithoutATreeOfTheMask) {
  int64_t without = 0;
  for (int64_t bits = 0; bits < 64; ++bits) {
    Sentences sentences({3, 5}, 2);
    for (int64_t i = 0; i < 6; ++i) {
      if ((bits >> i & 1) == 0) sentences.mask[0][i / 3][i % 3] = false;
    }
    sentences.mask[1].masked_fill_(uniform({6, 6}, "mask" + std::to_string(bits)) < -0.3, false);
    const Tensor expected = sentences.expected();
    expect_close(sentences.probabilities(), expected, kExact, "p");
    without += expected.flatten(1).eq(0).all(1).sum().item<int64_t>();
  }
  EXPECT_GT(without, 20);
  EXPECT_LT(without, 100);
}

TEST(DependencyTrees, HaveTheGradientOfFiniteDifferences) {
  Sentences sentences({1, 3, 5, 6}, 2);
  sentences.mask[2][0][1] = sentences.mask[3][2][3] = false;
  sentences.mask[1].narrow(0, 0, 1).fill_(false);  // no tree
  sentences.scores.requires_grad_(true);
  const Tensor probe = uniform(sentences.scores.sizes(), "probe");
  const auto loss = [&] { return (sentences.probabilities() * probe).sum(); };
  loss().backward();
  EXPECT_GT(sentences.scores.grad().abs().max().item<double>(), 0.01);
  DirectionalGradient({{"scores", sentences.scores}}, [&] {
    return loss().item<double>();
  }).check(1e-8);
}

// Each word has one head, in single precision and with extreme scores too.
TEST(DependencyTrees, OfLongSentencesAreDistributionsOverHeads) {
  for (const double size : {1.0, 1e2, 1e4, 1e8}) {
    for (const auto type : {torch::kDouble, torch::kFloat}) {
      Sentences sentences({80, 47}, size);
      sentences.scores = sentences.scores.to(type).detach().requires_grad_(true);
      const Tensor p = sentences.probabilities();
      p.square().sum().backward();
      EXPECT_TRUE(sentences.scores.grad().isfinite().all().item<bool>()) << size;
      Tensor words = torch::zeros({2, 81}, type);
      words[0].narrow(0, 0, 79).fill_(1);
      words[1].narrow(0, 0, 46).fill_(1);
      expect_close(p.detach().sum(2), words,
                   size > 1e4               ? 1e-5
                   : type == torch::kDouble ? 1e-9
                                            : kSingle,
                   "heads of each word");
    }
  }
}

TEST(DependencyTrees, OfNothingAreEmpty) {
  const Tensor none = torch::empty({0, 3, 3}, torch::kDouble);
  EXPECT_EQ(arc_probabilities(none, none.to(torch::kBool), torch::empty({0}, torch::kLong)).sizes(),
            none.sizes());
}

}  // namespace
}  // namespace heed
