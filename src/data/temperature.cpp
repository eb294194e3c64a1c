#include "data/temperature.h"

#include <cmath>

namespace heed {

namespace {

// Number of pairs of all corpora with its tag; of the corpus itself without a tag.
int64_t pairs_like(const std::vector<DrawnCorpus>& corpora, const DrawnCorpus& corpus) {
  if (!corpus.tag) return corpus.pairs;
  int64_t pairs = 0;
  for (const DrawnCorpus& other : corpora)
    pairs += other.tag == corpus.tag && !other.share ? other.pairs : 0;
  return pairs;
}

}  // namespace

std::vector<double> tempered_weights(const std::vector<DrawnCorpus>& corpora, double temperature) {
  std::vector<double> weights;
  double before = 0, after = 0;  // pairs of an epoch
  for (const DrawnCorpus& corpus : corpora) {
    if (corpus.share) {
      weights.push_back(corpus.weight);
      continue;
    }
    const auto pairs = static_cast<double>(corpus.pairs);
    const auto all = static_cast<double>(pairs_like(corpora, corpus));
    weights.push_back(corpus.pairs == 0 ? corpus.weight
                                        : corpus.weight * std::pow(all, 1 / temperature - 1));
    before += corpus.weight * pairs;
    after += weights.back() * pairs;
  }
  double others = 1;  // share of the corpora without one
  for (const DrawnCorpus& corpus : corpora) others -= corpus.share.value_or(0);
  for (size_t i = 0; i < corpora.size(); ++i) {
    if (corpora[i].pairs == 0) continue;
    if (corpora[i].share)
      weights[i] = *corpora[i].share / others * before / static_cast<double>(corpora[i].pairs);
    else
      weights[i] *= before / after;
  }
  return weights;
}

}  // namespace heed
