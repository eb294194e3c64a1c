// The stages of attention: score, terms, normalizer, read-out, and the combination of heads. A
// mechanism implements one of them. A stage has no state; what one query leaves to the next is in
// History or in the State. Letters of shapes: nn/tensor.h. Masks: true = may be read.
#pragma once

#include <memory>
#include <vector>

#include "nn/attention/attention.h"
#include "nn/attention/stage_config.h"
#include "nn/module.h"

namespace heed {

// Attention weights of earlier queries of each hypothesis. Here T = B: one query of each hypothesis
// of a row; over a decoder's past T = 1, because each hypothesis is a row.
struct History {
  Tensor previous;  // [R,H,T,S] weights of the query before this one; zeros before the first
  Tensor total;     // [R,H,T,S] sum of the weights of all queries so far
  Tensor kept;      // [R,H,T,S,…] state of the scorer (Scorer::remember); undefined at first
};

// Inputs of the stages. Over a source, R = N and T counts the queries of all hypotheses.
struct At {
  Tensor query;                      // [R,T,W] before projection
  Tensor queries, keys;              // prepared by the scorer: [R,H,T,D], [R,G,S,D]
  Tensor positions, key_positions;   // [R,T], [R,S]
  Tensor reach;                      // [R,1|T] number of keys that a query may read
  History history;                   // defined only if a stage's config needs_history()
  const SentenceFeatures& features;  // those that the terms read (TermConfig::features)
  Pass pass;
  std::vector<SideLoss>& losses;  // a stage appends its own here
  StateView normalizer_state;     // entries of the normalizer (Module::layout)
  Tensor normalizer_queries{};    // [R,H,T,…] result of Normalizer::prepare_queries()
};

// j - i for query i and key j: negative for keys before the query.  [R,T,S]
Tensor distances(const At& at);

// At::key_positions in this type, to be combined with queries of all heads.  [R,1,1,S]
Tensor key_positions_as(const At& at, torch::ScalarType type);

// An entry of the normalizer that each query leaves to the next query of its hypothesis; undefined
// at first. Only with needs_history().  [R,H,T,…]
Tensor carried(const At& at, CarrySlot entry);
void carry(const At& at, CarrySlot entry, const Tensor& x);

// Compares queries with keys.
class Scorer : public Module {
 public:
  virtual Tensor prepare_queries(const Tensor& x,
                                 const Tensor& positions) = 0;  // [R,T,W] -> [R,H,T,D]
  virtual Tensor prepare_keys(const Tensor& x,
                              const Tensor& positions) = 0;  // [R,S,W] -> [R,G,S,D]
  // Hides keys that have no score, before the terms do.  [R,1,1|T,S]
  virtual Tensor restrict(const Tensor& mask, const At& at) { return mask; }
  virtual Tensor score(const At& at) = 0;  // [R,H,T,S]
  // State of the scorer after this query, given its weights [R,H,T,S], for the next query
  // (History::kept); keys added later get zeros. Undefined: no state.  [R,H,T,S,…]
  virtual Tensor remember(const At& at, const Tensor& weights) { return {}; }
};

// Terms are called in the order of the config: restrict() of all, then add_to(), then reweigh().
class Term : public Module {
 public:
  // Hides keys, before the scores are computed.  [R,1|H,T,S]
  virtual Tensor restrict(const Tensor& mask, const At& at) { return mask; }
  // Changes scores, before the normalizer.  [R,H,T,S]
  virtual Tensor add_to(const Tensor& scores, const At& at) { return scores; }
  // Changes weights, after the normalizer.  [R,H,T,S]
  virtual Tensor reweigh(const Tensor& weights, const At& at) { return weights; }
};

// The keys of one query, scored on demand. Positions are [R,H,P]; those outside of the keys are
// masked.
class ScoredKeys {
 public:
  virtual ~ScoredKeys() = default;
  virtual int64_t count() const = 0;
  virtual Tensor open(const Tensor& positions) const = 0;    // [R,H,P], true = may be read
  virtual Tensor scores(const Tensor& positions) const = 0;  // [R,H,P]
};

// x [N,G,S,D] of sentences at positions [R,H,P] of their hypotheses, clamped to those of S; heads
// share those of x (heads.h).
// [R,H,P,D]
Tensor taken(const Tensor& x, const Tensor& positions);

// Attention weights as a sparse list; keys that are not listed have weight 0.
struct SparseWeights {
  Tensor positions, weights;  // [R,H,P]
};

// Makes weights of scores.
class Normalizer : public Module {
 public:
  // Weights over the keys; exactly 0 where the mask is false, and all 0 in a row without readable
  // keys.
  virtual Tensor weights(const Tensor& scores, const Tensor& mask, const At& at) = 0;
  // Weights for one query in inference, without scoring every key; only if reads_ahead() of the
  // config is true.
  virtual SparseWeights read(const ScoredKeys& keys, const At& at);

  // The next three are for a normalizer that scores the keys a second time
  // (scores/second_scores.h). own: entries of this module in the state.
  // Called once for a source, with its keys.
  virtual void start(const Source& source, StateView own) {}
  // Called with the new keys [R,T,W] of a decoder's past.
  virtual void append(const Tensor& keys, const Tensor& positions, StateView own) {}
  // Called once a call, with all its queries [R,T,W]; returns At::normalizer_queries.
  virtual Tensor prepare_queries(const Tensor& x, const Tensor& positions) { return {}; }
  // Called after each query, given its weights [R,H,T,S] after the terms; only with
  // needs_history().
  virtual void remember(const At& at, const Tensor& weights) {}
  // The scorer, whose parameters the attention registers; null: none.
  virtual std::shared_ptr<Scorer> second_scorer() const { return nullptr; }
};

class ReadOut : public Module {
 public:
  virtual Tensor prepare_values(const Tensor& x,
                                const Tensor& positions) = 0;  // [R,S,W] -> [R,G,S,V]
  // Combines the values by the weights.  -> [R,H,T,V]
  virtual Tensor read(const Tensor& weights, const Tensor& values, const At& at) = 0;
  // Joins the heads and projects them.  [R,H,T,V] -> [R,T,context]
  virtual Tensor combine(const Tensor& heads, const At& at) = 0;
};

// Combines the context vectors of the heads.
class HeadCombination : public Module {
 public:
  virtual Tensor combine(const Tensor& heads) = 0;  // [R,H,T,V] -> [R,T,H·V]
};

}  // namespace heed
