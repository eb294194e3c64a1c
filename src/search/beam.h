// The beam of one sentence: which hypotheses live, which are finished, when the search of the
// sentence is over. Numbers only, no tensors.
#pragma once

#include <cstdint>
#include <vector>

#include "search/search.h"
#include "search/top_k.h"

namespace heed {

class Beam {
 public:
  // A hypothesis that the next step continues.
  struct Live {
    double log_probability = 0;
    double coverage = 0;
    int32_t id = kBegin;  // its last token
    int64_t parent = 0;   // index of the live hypothesis it extends
    int64_t node = -1;
  };
  // A hypothesis and where its tokens came from.
  struct Finished {
    Hypothesis hypothesis;
    std::vector<int64_t> rows;  // of the batch, in each step: ids and kEnd
  };

  Beam(const SearchConfig& config, int64_t max_length);
  // One token further: living hypothesis i is row first_row + i of `best`. coverage: what
  // SearchConfig::score takes, of each row of `best` with this step; empty: it does not count.
  void advance(const TopK& best, int64_t first_row, const std::vector<double>& coverage = {});
  bool done() const { return done_; }
  // At most config.beam; where there are fewer, the other rows of the sentence are idle.
  const std::vector<Live>& live() const { return live_; }
  // The `nbest` best, best first.
  std::vector<Finished> results() const;
  // Tokens that would repeat an n-gram of live hypothesis i (no_repeat_ngram; Paulus et al. 2018,
  // section 2.5).
  std::vector<int32_t> repeats(size_t i) const;
  // Number of candidates per row that advance() needs, if there are as many.
  static int64_t wanted(const SearchConfig& config);

 private:
  // A token of the tree of hypotheses.
  struct Node {
    int64_t parent;
    int32_t id;
    int64_t row;
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
  std::vector<Candidate> candidates(const TopK& best, int64_t first_row) const;
  bool allowed(int32_t id) const;
  bool is_done() const;
  Finished trace(const End& end) const;
  Ids ids_up_to(int64_t node) const;

  const SearchConfig* config_;
  int64_t max_length_;
  int64_t length_ = 0;  // of the living ones
  std::vector<Live> live_;
  std::vector<Node> nodes_;
  std::vector<End> ends_;  // best first
  bool done_ = false;
};

}  // namespace heed
