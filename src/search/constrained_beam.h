// Beam search for targets that contain given phrases: dynamic beam allocation (Post and Vilar
// 2018).
//
// Candidates are the most probable continuations of each hypothesis, and tokens that begin or
// continue a phrase. Candidates with the same number of met constraint tokens form a bank. The beam
// is divided evenly over the banks that have candidates; places that one bank cannot fill go to the
// others. If there are more banks than places in the beam, banks with more tokens come first. A
// hypothesis ends only with all phrases. As soon as there is room only for the unmet tokens, no
// other tokens follow. A target without all phrases, cut at its maximum length, is therefore
// possible only if another constraint or probability 0 forbids them.
//
// The log-probability of phrase tokens is divided by the length penalty of a target as long as the
// source, that of the other tokens by the penalty of the hypothesis. If it were divided by the
// length of the hypothesis, an improbable phrase would favor long hypotheses.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "search/beam.h"
#include "search/phrases.h"

namespace heed {

class ConstrainedBeam final : public Beam {
 public:
  ConstrainedBeam(const SearchConfig& config, const SearchLengths& lengths, Constraints constraints,
                  Phrases phrases, bool keep_attention = false)
      : Beam(config, lengths, std::move(constraints), keep_attention),
        phrases_(std::move(phrases)) {}
  void limit(int64_t first_row, Limits& limits) const override;
  void request_distributions(int64_t first_row, Distributions& distributions) override;
  void draw(int64_t index, std::span<const float> log_probabilities) override;
  bool is_greedy() const override { return false; }

 private:
  // Candidates by the number of met tokens, largest number first.
  using Banks = std::map<int64_t, std::vector<Candidate>, std::greater<>>;
  std::vector<Candidate> candidates(const TopK& best, int64_t first_row,
                                    const Penalty& penalty) const override;
  double score(int64_t node, double log_probability, int64_t tokens,
               double coverage) const override;
  double bound(double log_probability) const override;
  // The log-probability of the phrase tokens after the prefix, in the hypothesis that ends with a
  // node.
  double phrases_of(int64_t node) const;
  void add(int64_t parent, int32_t id, double log_probability, const Ids& so_far,
           Banks& banks) const;

  Phrases phrases_;
  // Log-probabilities of phrase tokens for each unfinished hypothesis.
  std::vector<std::map<int32_t, double>> offered_;
};

}  // namespace heed
