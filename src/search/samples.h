// Independent samples of one sentence: `nbest` hypotheses whose tokens are drawn one after the
// other (sampling.h). A sample depends on the seed, the number of the sentence and that of the sample
// only.
#pragma once

#include <map>

#include "base/random.h"
#include "search/hypotheses.h"
#include "search/sampling.h"

namespace heed {

class Samples final : public HypothesisTree {
 public:
  // config.sampling is set. number: of the sentence.
  Samples(const SearchConfig& config, int64_t number, const SearchLengths& lengths,
          Constraints constraints, bool keep_attention = false);
  void request_distributions(int64_t first_row, Distributions& distributions) override;
  void draw(int64_t index, std::span<const float> log_probabilities) override;
  void advance(const TopK& best, int64_t first_row, const AttentionOfRow& attention) override;
  void stop() override;
  std::vector<Hypothesis> results() const override;
  Hypothesis best_so_far() const override;
  int64_t width() const override { return config().nbest; }
  int64_t wanted() const override { return 1; }

 private:
  // Unfinished hypothesis `index` of live_ stands for these samples: all of them before the first
  // token.
  struct Unfinished {
    std::vector<int64_t> samples;
    std::vector<DrawnToken> drawn;
  };
  End end_of(int64_t index, int64_t node, double log_probability, bool whole) const;

  std::vector<RandomStream> streams_;  // of the samples
  std::vector<Unfinished> unfinished_;
  std::map<int64_t, End> ends_;  // by sample
};

}  // namespace heed
