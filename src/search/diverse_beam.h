// Diverse beam search (Vijayakumar et al. 2016, algorithm 1): the beam is divided into G groups,
// which advance one after the other. In group g the continuations are ranked by
//   log p(y_t | y_<t, x) - λ · (number of hypotheses of the groups before g whose token t is y_t),
// Hamming diversity; only unfinished hypotheses count, so that </s> has no penalty. The
// log-probabilities and scores of hypotheses have no such term. Each group is a beam with its own end
// of search. Sizes of groups differ by one where G does not divide the beam.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "search/beam.h"

namespace heed {

class DiverseBeam final : public Hypotheses {
 public:
  // As for a Beam; config: its beam is that of all groups.
  DiverseBeam(const SearchConfig& config, const SearchLengths& lengths,
              const Constraints& constraints, bool keep_attention = false);
  void limit(int64_t first_row, Limits& limits) const override;
  void advance(const TopK& best, int64_t first_row, const Attention& attention) override;
  Ids tokens(int64_t i) const override;
  void stop() override;
  // The best of all groups, best first, each once: fewer than `nbest` where groups found the same.
  std::vector<Hypothesis> results() const override;
  Hypothesis best_so_far() const override;
  int64_t width() const override { return beam_; }
  // Enough for the best of a group after all tokens of the others are penalized.
  int64_t wanted() const override { return groups_.front()->wanted() + beam_; }

 private:
  void join_the_living();

  int64_t beam_, nbest_;
  double strength_;
  std::vector<std::unique_ptr<Beam>> groups_;  // the largest first
  // Where the living of each group begin in live_: all at the first hypothesis before the first
  // token. Groups that are done have none.
  std::vector<int64_t> offsets_;
  bool has_begun_ = false;
};

}  // namespace heed
