// The beam of one sentence: its unfinished and finished hypotheses, and when its search ends.
//
// The `beam` best unfinished hypotheses are kept; greedy search is beam 1. A step computes the
// 2·beam best continuations: those among the first `beam` that end are finished, the first `beam`
// others are kept. The search ends
//   - when patience·beam finished hypotheses have a score no worse than the current score of the
//     best unfinished one; patience is the factor of Kasai et al. 2022. Counting all finished
//     hypotheses would stop at improbable short ones while the only probable translation is
//     unfinished,
//   - or when `nbest` are finished and no unfinished one can exceed the worst of these
//     (HypothesisTree::bound),
//   - or at the maximum length.
// The penalties of length and coverage are part of the score of a finished hypothesis (Wu et al.
// 2016, section 7); unfinished ones are ranked by log-probability, and their current score uses the
// coverage so far.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "search/hypotheses.h"

namespace heed {

class Beam : public HypothesisTree {
 public:
  Beam(const SearchConfig& config, const SearchLengths& lengths, Constraints constraints,
       bool keep_attention = false)
      : HypothesisTree(config, lengths, std::move(constraints), keep_attention) {}
  void advance(const TopK& best, int64_t first_row, const AttentionOfRow& attention) override {
    advance(best, first_row, attention, {});
  }
  // The same where continuations are ranked by their log-probabilities minus the penalty of their
  // last token; the log-probabilities stay as they are.
  using Penalty = std::map<int32_t, double>;
  void advance(const TopK& best, int64_t first_row, const AttentionOfRow& attention,
               const Penalty& penalty);
  void stop() override;
  // The `nbest` best, best first.
  std::vector<Hypothesis> results() const override;
  Hypothesis best_so_far() const override;
  // No continuation scores better than a translation that ends in the same step: both have the same
  // length and coverage, and a continuation only loses probability.
  bool is_greedy() const override { return config().beam == 1 && config().patience <= 1; }
  int64_t width() const override { return config().beam; }
  int64_t wanted() const override { return 2 * config().beam; }

 protected:
  struct Candidate {
    double rank, log_probability;
    int64_t parent;
    int32_t id;
  };
  static bool is_better(const Candidate& a, const Candidate& b);
  // At most wanted(), in the order in which the beam takes them.
  virtual std::vector<Candidate> candidates(const TopK& best, int64_t first_row,
                                            const Penalty& penalty) const;

 private:
  void add_end(const End& end);
  // stuck: Hypothesis::stuck.
  void end_unfinished(bool stuck);
  bool is_done() const;
  double best_unfinished_score() const;

  std::vector<End> ends_;  // best first
  bool limited_ = false;   // Hypothesis::limited
};

}  // namespace heed
