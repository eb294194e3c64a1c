// The four stages of attention: score, terms, normalizer, read-out. Each mechanism is one short
// file that overrides one of these; stages are stateless, history is data.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "config/fields.h"
#include "nn/attention/attention.h"
#include "nn/module.h"

namespace heed {

// Attention weights of earlier queries. T is one query of each hypothesis of a sentence; each
// hypothesis has a separate history.
struct History {
  Tensor previous;     // [R,H,T,S] weights of the query before this one; zeros before the first
  Tensor total;        // [R,H,T,S] sum of the weights of all queries so far
  Tensor kept;         // [R,H,T,S,…] state of the scorer (Scorer::remember); undefined at first
  Tensor second_kept;  // the same of the second scorer
};

// Inputs of the stages. Over a source: R sentences, T queries of all their hypotheses.
struct At {
  Tensor query;                     // [R,T,W] before projection
  Tensor queries, keys;             // prepared by the scorer: [R,H,T,D], [R,H,S,D]
  Tensor positions, key_positions;  // [R,T], [R,S]
  Tensor reach;                     // [R,1|T] number of keys that a query may read
  History history;                  // defined only if a stage's config needs_history()
  // Queries, keys and scores [R,H,T,S] of the second scorer, if NormalizerConfig::second_scores().
  Tensor second_queries{}, second_keys{}, second_scores{};
  const SentenceFeatures& features;  // those that the terms read (TermConfig::features)
  Pass pass;
  std::vector<SideLoss>& losses;  // a stage appends its own here
  Tensor& carried;  // [R,H,T,..] state of a normalizer with needs_history(); undefined at first
};

// j - i for query i and key j: negative for keys before the query.  [R,T,S]
Tensor distances(const At& at);

// At::key_positions in this type, to be combined with queries of all heads.  [R,1,1,S]
Tensor key_positions_as(const At& at, torch::ScalarType type);

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
  virtual Tensor open(const Tensor& positions) const = 0;           // [R,H,P], true = may be read
  virtual Tensor scores(const Tensor& positions) const = 0;         // [R,H,P]
  virtual Tensor second_scores(const Tensor& positions) const = 0;  // [R,H,P]
};

// Attention weights as a sparse list; keys that are not listed have weight 0.
struct Reading {
  Tensor positions, weights;  // [R,H,P]
};

class Normalizer : public Module {
 public:
  // Weights over the keys; exactly 0 where the mask is false, and all 0 in a row without readable
  // keys.
  virtual Tensor weights(const Tensor& scores, const Tensor& mask, const At& at) = 0;
  // Weights for one query in inference, without scoring every key; only if reads_ahead() of the
  // config is true.
  virtual Reading read(const ScoredKeys& keys, const At& at);
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

struct HeadCombinationConfig;

// Default number of heads inside a Transformer block.
inline constexpr int64_t kBlockHeads = 8;

// Dimensions that a stage is built from.
struct StageDims : AttentionDims {
  int64_t heads = 1;
  const HeadCombinationConfig* combination = nullptr;  // of the read-out; null: concatenation
  bool project = false;                                // the default of every `project`
  std::optional<int64_t> clip{};                       // ScorerConfig::clip()
};

// Rejects a stage that compares positions of queries and keys if the keys are of another sequence.
// over_source: the stage that does the same there; nullptr: there is none.
void check_one_sequence(const KindSettings& stage, const StageDims& dims, Problems& problems,
                        const char* over_source = nullptr);

struct StageConfig : KindSettings {
  virtual void check(const StageDims& dims, Problems& problems) const {}
  // True if it reads At::history; if any stage does, queries are processed one at a time.
  virtual bool needs_history() const { return false; }
  // True if it needs all keys at once: their positions, their history, or a special form of them.
  virtual bool needs_all_keys() const { return needs_history(); }
  // True if it encodes positions itself; its paper then adds no positions to the embeddings.
  virtual bool encodes_positions() const { return false; }
};

// Rejects a stage that uses positions of keys if the keys have no order.
void check_order(const KindSettings& kind, const AttentionDims& dims, Problems& problems);

struct ScorerConfig : StageConfig {
  // Number of heads, if the score determines it: feature-wise scores have one per feature.
  virtual std::optional<int64_t> heads(int64_t context_width) const { return std::nullopt; }
  // The read-out if the config names none.
  virtual const char* read() const { return "weighted_sum"; }
  // The width of queries and keys, which the heads share.
  virtual int64_t width_of_heads(const StageDims& dims) const { return dims.query; }
  // Maximum relative distance, if the score has embeddings of relative positions.
  virtual std::optional<int64_t> clip() const { return std::nullopt; }
  // The factor c, if the score is c times the dot product of prepared queries and keys.
  virtual std::optional<double> dot_product_scale(const StageDims& dims) const {
    return std::nullopt;
  }
  virtual std::shared_ptr<Scorer> build(const StageDims& dims) const = 0;
};
struct TermConfig : StageConfig {
  // The sentence features that it reads (At::features).
  virtual std::vector<const char*> features() const { return {}; }
  // True if it needs all queries of a sentence at once; excludes stages with needs_history().
  virtual bool needs_all_queries() const { return false; }
  virtual std::shared_ptr<Term> build(const StageDims& dims) const = 0;
};
struct NormalizerConfig : StageConfig {
  // True if it needs At::second_scores: those of a second scorer, built from the same config.
  virtual bool second_scores() const { return false; }
  // True if Normalizer::read() replaces weights() in inference.
  virtual bool reads_ahead() const { return false; }
  // True if the weights have a gradient with respect to the scores in training.
  virtual bool is_differentiable() const { return true; }
  // True if the weights are the softmax of the scores over the readable keys.
  virtual bool is_softmax() const { return false; }
  virtual std::shared_ptr<Normalizer> build(const StageDims& dims) const = 0;
};
struct ReadOutConfig : StageConfig {
  // The width of values, which the heads share.
  virtual int64_t width_of_heads(const StageDims& dims) const { return context_width(dims); }
  virtual int64_t context_width(const StageDims& dims) const = 0;
  // True if ReadOut::read() is the weighted sum of prepared values.
  virtual bool is_weighted_sum() const { return false; }
  // Same as ScorerConfig::clip(); nullopt: that of the score.
  virtual std::optional<int64_t> clip() const { return std::nullopt; }
  virtual std::shared_ptr<ReadOut> build(const StageDims& dims) const = 0;
};

struct HeadCombinationConfig : KindSettings {
  // Minimum number of heads.
  virtual int64_t least_heads() const { return 1; }
  virtual void check(const StageDims& dims, Problems& problems) const {}
  // Combines heads of this width; nullptr: they are concatenated, with the read-out's own
  // projection.
  virtual std::shared_ptr<HeadCombination> build(int64_t heads, int64_t width) const = 0;
};

// All stages (registry.cpp); tests add their own.
Registry<ScorerConfig>& scorers();
Registry<TermConfig>& terms();
Registry<NormalizerConfig>& normalizers();
Registry<ReadOutConfig>& readouts();
Registry<HeadCombinationConfig>& head_combinations();

}  // namespace heed
