// Hypotheses of one sentence, unfinished and finished: the common interface of beam search
// (beam.h), diverse beam search (diverse_beam.h) and sampling (samples.h), and their common parts.
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

class Hypotheses {
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
  using AttentionOfRow = std::function<std::optional<std::span<const double>>(int64_t row)>;

  virtual ~Hypotheses() = default;

  // Adds the limits on the next token of unfinished hypothesis i as row first_row + i.
  virtual void limit(int64_t first_row, Limits& limits) const = 0;
  // Adds the rows whose distributions draw() gets before advance(); none in beam search.
  virtual void request_distributions(int64_t first_row, Distributions& distributions) {}
  virtual void draw(int64_t index, std::span<const float> log_probabilities) {}
  // Advances by one token: unfinished hypothesis i is row first_row + i of `best`.
  virtual void advance(const TopK& best, int64_t first_row, const AttentionOfRow& attention) = 0;
  bool done() const { return done_; }
  // At most width() hypotheses; if there are fewer, the other rows of the sentence are idle.
  const std::vector<Live>& live() const { return live_; }
  // The tokens of unfinished hypothesis i.
  virtual Ids tokens(int64_t i) const = 0;
  // Ends the search: unfinished hypotheses become results as they are.
  virtual void stop() = 0;
  // Best first, or in the order of the samples.
  virtual std::vector<Hypothesis> results() const = 0;
  // The hypothesis with the best score, finished or not: the first result after stop().
  virtual Hypothesis best_so_far() const = 0;

  // True if advance() takes the most probable token, whatever its probability.
  virtual bool is_greedy() const { return false; }
  virtual int64_t width() const = 0;   // rows of the sentence
  virtual int64_t wanted() const = 0;  // number of candidates per row that advance() needs

 protected:
  std::vector<Live> live_ = std::vector<Live>(1);
  bool done_ = false;
};

// Lengths of a sentence, in tokens.
struct SearchLengths {
  int64_t longest = 0;  // of a hypothesis without kEnd, as in the constraints
  int64_t source = 0;   // of the longest source
  // Tokens at the beginning of a target that search did not choose: `given` tokens with probability
  // 1, then those of a prefix.
  int64_t given = 0, prefix = 0;
};

// Hypotheses as the leaves of a tree of tokens.
//
// The score of a hypothesis is that of the tokens that search chose. Given tokens and tokens of a
// prefix have probability 1 in it: divided by the length, their log-probability would favor long
// hypotheses. Both count in the length, as in CTranslate2.
class HypothesisTree : public Hypotheses {
 public:
  // keep_attention: whether results contain attention weights.
  HypothesisTree(const SearchConfig& config, const SearchLengths& lengths, Constraints constraints,
                 bool keep_attention);
  void limit(int64_t first_row, Limits& limits) const override;
  Ids tokens(int64_t i) const override { return ids_up_to(live_[i].node); }

 protected:
  // A hypothesis that ended with the token of a node. It has no kEnd if kEnd was impossible or the
  // request was stopped.
  struct End {
    int64_t node;
    double log_probability, score;
    bool whole;          // ends in kEnd
    bool stuck = false;  // Hypothesis::stuck
  };
  // The log-probability of the prefix in the hypothesis that ends with a node.
  double prefix_of(int64_t node) const { return node < 0 ? 0 : nodes_[node].prefix; }
  // The score of the hypothesis that ends with a node. tokens: with kEnd.
  virtual double score(int64_t node, double log_probability, int64_t tokens, double coverage) const;
  double score(const Live& live) const;
  // Upper bound of the scores of all continuations of an unfinished hypothesis. log_probability:
  // without the prefix.
  virtual double bound(double log_probability) const;
  // Adds a token after unfinished hypothesis `parent` to the tree. log_probability: of this
  // hypothesis with the token. Returns the node.
  int64_t add_node(int64_t parent, int32_t id, double log_probability, int64_t first_row,
                   const AttentionOfRow& attention);
  Hypothesis trace(const End& end) const;
  // The tokens of the hypothesis that ends with a node.
  Ids ids_up_to(int64_t node) const;
  // The nodes from the first token to a node.
  std::vector<int64_t> path_to(int64_t node) const;
  // The log-probability of the token of a node.
  double log_probability_of(int64_t node) const;
  const SearchConfig& config() const { return config_; }
  const SearchLengths& lengths() const { return lengths_; }

  int64_t length_ = 0;  // of the unfinished hypotheses

 private:
  struct Node {
    int64_t parent;
    int32_t id;
    double log_probability;  // of the hypothesis so far
    double prefix;           // log-probability of the prefix, included in the above
    std::optional<std::vector<float>> attention;
  };
  SearchConfig config_;
  SearchLengths lengths_;
  Constraints constraints_;
  bool keep_attention_;
  std::vector<Node> nodes_;
};

}  // namespace heed
