// The beam of one sentence: its unfinished and finished hypotheses, and when its search ends.
//
// The `beam` best unfinished hypotheses are kept; greedy search is beam 1. A step computes the
// 2·beam best continuations: those among the first `beam` that end are finished, the first `beam`
// others are kept. The search ends
//   - when patience·beam finished hypotheses have a score no worse than the current score of the
//     best unfinished one; patience is the factor of Kasai et al. 2022. Counting all finished
//     hypotheses would stop at improbable short ones while the only probable translation is
//     unfinished,
//   - or when `nbest` are finished and no unfinished one can exceed the worst of these: its
//     log-probability only decreases, its length is at most the maximum and its coverage at most 0,
//   - or at the maximum length.
// The penalties of length and coverage are part of the score of a finished hypothesis (Wu et al.
// 2016, section 7); unfinished ones are ranked by log-probability, and their current score uses the
// coverage so far.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "search/constraint.h"
#include "search/coverage.h"
#include "search/engine.h"
#include "search/hypothesis.h"
#include "search/search_config.h"

namespace heed {

class Beam {
 public:
  // A hypothesis that the next step continues.
  struct Live {
    double log_probability = 0;
    Coverage coverage{};  // 0 without coverage penalty
    int32_t id = kBegin;  // its last token
    int64_t parent = 0;   // index of the live hypothesis it extends
    int64_t node = -1;
  };
  // Decoding::attention.
  using Attention = std::function<std::optional<std::span<const double>>(int64_t row)>;

  // max_length: of a hypothesis, as the constraints have it. keep_attention: in the results.
  Beam(const SearchConfig& config, int64_t max_length, Constraints constraints,
       bool keep_attention = false);
  // Adds the limits on the next token of unfinished hypothesis i as row first_row + i.
  void limit(int64_t first_row, Limits& limits) const;
  // Advances by one token: unfinished hypothesis i is row first_row + i of `best`.
  void advance(const TopK& best, int64_t first_row, const Attention& attention);
  bool done() const { return done_; }
  // At most config.beam; where there are fewer, the other rows of the sentence are idle.
  const std::vector<Live>& live() const { return live_; }
  // Ends the search: unfinished hypotheses become results as they are.
  void stop();
  // The `nbest` best, best first.
  std::vector<Hypothesis> results() const;
  // The hypothesis with the best score, finished or not: the first result after stop().
  Hypothesis best_so_far() const;

  int64_t width() const { return config_.beam; }
  // Number of candidates per row that advance() needs.
  int64_t wanted() const { return 2 * config_.beam; }

 private:
  // A token of the tree of hypotheses.
  struct Node {
    int64_t parent;
    int32_t id;
    std::optional<std::vector<float>> attention;
  };
  // A hypothesis that ended with the token of a node, or without kEnd where that was impossible.
  struct End {
    int64_t node;
    double log_probability, score;
    bool whole;  // ends in kEnd
  };
  struct Candidate {
    double log_probability;
    int64_t parent;
    int32_t id;
  };
  double score(const Live& live) const;
  std::vector<Candidate> candidates(const TopK& best, int64_t first_row) const;
  void add_end(const End& end);
  void end_the_living();
  bool is_done() const;
  Hypothesis trace(const End& end) const;
  Ids ids_up_to(int64_t node) const;

  SearchConfig config_;
  int64_t max_length_;
  Constraints constraints_;
  bool keep_attention_;
  int64_t length_ = 0;  // of the living ones
  std::vector<Live> live_;
  std::vector<Node> nodes_;
  std::vector<End> ends_;  // best first
  bool done_ = false;
};

}  // namespace heed
