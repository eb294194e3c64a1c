// Diverse beam search (Vijayakumar et al. 2016, algorithm 1): the beam is divided into G groups,
// which advance one after the other. In group g the continuations are ranked by
//   log p(y_t | y_<t, x) - λ · (number of hypotheses of the groups before g whose token t is y_t),
// Hamming diversity. Only unfinished hypotheses count, so that </s> has no penalty. The
// log-probabilities and scores of hypotheses do not include this term. Each group is a beam whose
// search ends separately. Group sizes differ by one if G does not divide the beam.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "search/beam.h"

namespace heed {

class DiverseBeam final : public Hypotheses {
 public:
  // Same arguments as Beam; config.beam is the sum over all groups.
  DiverseBeam(const SearchConfig& config, const SearchLengths& lengths,
              const Constraints& constraints, bool keep_attention = false);
  void limit(int64_t first_row, Limits& limits) const override;
  void advance(const TopK& best, int64_t first_row, const AttentionOfRow& attention) override;
  Ids tokens(int64_t i) const override;
  void stop() override;
  // The best hypotheses of all groups, best first, without duplicates: fewer than `nbest` if groups
  // found the same.
  std::vector<Hypothesis> results() const override;
  Hypothesis best_so_far() const override;
  int64_t width() const override { return beam_; }
  // Enough for the best token of a group even if all tokens of the other groups are penalized.
  int64_t wanted() const override { return groups_.front()->wanted() + beam_; }

 private:
  void join_unfinished();

  int64_t beam_, nbest_;
  double strength_;
  std::vector<std::unique_ptr<Beam>> groups_;  // the largest first
  // Index in live_ of each group's first unfinished hypothesis. Before the first token it is 0 for
  // all groups. Finished groups have no hypotheses there.
  std::vector<int64_t> offsets_;
  bool has_begun_ = false;
};

}  // namespace heed
