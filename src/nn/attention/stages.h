// The four stages of attention: score, terms, normalizer, read-out. Each mechanism is one short
// file that overrides one of these; stages are stateless, history is data.
#pragma once

#include <memory>
#include <vector>

#include "nn/attention/attention.h"
#include "nn/attention/stage_config.h"
#include "nn/module.h"

namespace heed {

// Attention weights of earlier queries. T is one query of each hypothesis of a sentence; each
// hypothesis has a separate history.
struct History {
  Tensor previous;  // [R,H,T,S] weights of the query before this one; zeros before the first
  Tensor total;     // [R,H,T,S] sum of the weights of all queries so far
  Tensor kept;      // [R,H,T,S,…] state of the scorer (Scorer::remember); undefined at first
};

// Inputs of the stages. Over a source: R sentences, T queries of all their hypotheses.
struct At {
  Tensor query;                      // [R,T,W] before projection
  Tensor queries, keys;              // prepared by the scorer: [R,H,T,D], [R,H,S,D]
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

class Scorer : public Module {
 public:
  virtual Tensor prepare_queries(const Tensor& x,
                                 const Tensor& positions) = 0;  // [R,T,W] -> [R,H,T,D]
  virtual Tensor prepare_keys(const Tensor& x,
                              const Tensor& positions) = 0;  // [R,S,W] -> [R,H,S,D]
  virtual Tensor score(const At& at) = 0;                    // [R,H,T,S]
  // State of the scorer after this query, given its weights [R,H,T,S], for the next query
  // (History::kept); keys added later get zeros. Undefined: no state.  [R,H,T,S,…]
  virtual Tensor remember(const At& at, const Tensor& weights) { return {}; }
};

class Term : public Module {
 public:
  virtual Tensor restrict(const Tensor& mask, const At& at) { return mask; }       // [R,1|H,T,S]
  virtual Tensor add_to(const Tensor& scores, const At& at) { return scores; }     // [R,H,T,S]
  virtual Tensor reweigh(const Tensor& weights, const At& at) { return weights; }  // [R,H,T,S]
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

// x [N,H,S,D] of sentences at positions [R,H,P] of their hypotheses, clamped to those of S.
// [R,H,P,D]
Tensor taken(const Tensor& x, const Tensor& positions);

// Attention weights as a sparse list; keys that are not listed have weight 0.
struct SparseWeights {
  Tensor positions, weights;  // [R,H,P]
};

class Normalizer : public Module {
 public:
  // Weights over the keys; exactly 0 where the mask is false, and all 0 in a row without readable
  // keys.
  virtual Tensor weights(const Tensor& scores, const Tensor& mask, const At& at) = 0;
  // Weights for one query in inference, without scoring every key; only if reads_ahead() of the
  // config is true.
  virtual SparseWeights read(const ScoredKeys& keys, const At& at);

  // For a normalizer that scores the keys a second time (scores/second_scores.h). The first two are
  // called with the keys of a source, and with new keys [R,T,W] of a decoder's past; own: entries of
  // this module in the state. The third one is called once for all queries [R,T,W] of a call.
  virtual void start(const Source& source, StateView own) {}
  virtual void append(const Tensor& keys, const Tensor& positions, StateView own) {}
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
                                const Tensor& positions) = 0;  // [R,S,W] -> [R,H,S,V]
  virtual Tensor read(const Tensor& weights, const Tensor& values,
                      const At& at) = 0;                          // -> [R,H,T,V]
  virtual Tensor combine(const Tensor& heads, const At& at) = 0;  // [R,H,T,V] -> [R,T,context]
};

// Combines the context vectors of the heads.
class HeadCombination : public Module {
 public:
  virtual Tensor combine(const Tensor& heads) = 0;  // [R,H,T,V] -> [R,T,H·V]
};

}  // namespace heed
