#include "search/samples.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace heed {

Samples::Samples(const SearchConfig& config, int64_t number, const SearchLengths& lengths,
                 Constraints constraints, bool keep_attention)
    : HypothesisTree(config, lengths, std::move(constraints), keep_attention), unfinished_(1) {
  HEED_CHECK(config.sampling.has_value());
  for (int64_t sample = 0; sample < config.nbest; ++sample) {
    streams_.emplace_back(stream_key(config.sampling->seed, "sample", number, sample));
    unfinished_.front().samples.push_back(sample);
  }
}

void Samples::request_distributions(int64_t first_row, Distributions& distributions) {
  for (int64_t i = 0; i < std::ssize(live_); ++i) distributions.rows.push_back(first_row + i);
}

void Samples::draw(int64_t index, std::span<const float> log_probabilities) {
  const bool is_possible =
      std::ranges::any_of(log_probabilities, [](float value) { return std::isfinite(value); });
  if (!is_possible) return;  // advance() ends the hypothesis
  Unfinished& one = unfinished_[index];
  for (const int64_t sample : one.samples)
    one.drawn.push_back(
        draw_token(log_probabilities, *config().sampling, streams_[sample].uniform()));
}

HypothesisTree::End Samples::end_of(int64_t index, int64_t node, double log_probability,
                                    bool whole) const {
  const int64_t tokens = length_ + (whole ? 1 : 0);
  return {node, log_probability,
          score(node, log_probability, tokens, live_[index].coverage.value()), whole};
}

// A row without a draw has one token only, which is forced, or none.
void Samples::advance(const TopK& best, int64_t first_row, const AttentionOfRow& attention) {
  std::vector<Live> next;
  std::vector<Unfinished> next_unfinished;
  for (int64_t i = 0; i < std::ssize(live_); ++i) {
    const int64_t forced = (first_row + i) * best.count;
    for (size_t k = 0; k < unfinished_[i].samples.size(); ++k) {
      const int64_t sample = unfinished_[i].samples[k];
      const bool is_drawn = !unfinished_[i].drawn.empty();
      const DrawnToken token = is_drawn ? unfinished_[i].drawn[k]
                                        : DrawnToken{best.id[forced], best.log_probability[forced]};
      if (token.id < 0) {  // impossible: the hypothesis ends as it is
        End end = end_of(i, live_[i].node, live_[i].log_probability, false);
        end.stuck = true;
        ends_.emplace(sample, end);
        continue;
      }
      const double log_probability = live_[i].log_probability + token.log_probability;
      const int64_t node = add_node(i, token.id, log_probability, first_row, attention);
      if (token.id == kEnd) {
        ends_.emplace(sample, end_of(i, node, log_probability, true));
      } else {
        next.push_back({log_probability, {}, token.id, i, node});
        next_unfinished.push_back({{sample}, {}});
      }
    }
  }
  live_ = std::move(next);
  unfinished_ = std::move(next_unfinished);
  ++length_;
  done_ = live_.empty();
}

void Samples::stop() {
  for (int64_t i = 0; i < std::ssize(live_); ++i) {
    for (const int64_t sample : unfinished_[i].samples)
      ends_.emplace(sample, end_of(i, live_[i].node, live_[i].log_probability, false));
  }
  live_.clear();
  unfinished_.clear();
  done_ = true;
}

std::vector<Hypothesis> Samples::results() const {
  std::vector<Hypothesis> results;
  for (const auto& [sample, end] : ends_) results.push_back(trace(end));
  return results;
}

Hypothesis Samples::best_so_far() const {
  const auto first = ends_.find(0);
  return trace(first != ends_.end() ? first->second
                                    : end_of(0, live_[0].node, live_[0].log_probability, false));
}

}  // namespace heed
