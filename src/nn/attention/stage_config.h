// Settings of the four stages of attention, without tensors: score, terms, normalizer, read-out.
// Each mechanism has its settings in a file NAME_config.h beside the file of its module.
#pragma once

#include <optional>
#include <vector>

#include "nn/attention/attention_config.h"

namespace heed {

struct HeadCombinationConfig;
struct ScorerConfig;

// Default number of heads inside a Transformer block.
inline constexpr int64_t kBlockHeads = 8;
// `heads` of an attention that is not staged: by default that of a Transformer block inside one,
// else 1.
inline int64_t heads_or_default(const std::optional<int64_t>& heads, const AttentionDims& dims) {
  return heads.value_or(dims.block > 0 ? kBlockHeads : 1);
}

// Dimensions that a stage is built from.
struct StageDims : AttentionDims {
  int64_t heads = 1;
  int64_t key_value_heads = 1;          // divides `heads`
  const ScorerConfig* score = nullptr;  // of the attention, for a normalizer that scores again
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
  // True if it needs all queries of a sentence at once; excludes stages with needs_history().
  virtual bool needs_all_queries() const { return false; }
  // True if it encodes positions itself; its paper then adds no positions to the embeddings.
  virtual bool encodes_positions() const { return false; }
  // True if several of its heads can share a head of keys or values (key_value_heads).
  virtual bool shares_heads(const StageDims& dims) const { return false; }
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
  // True if the score is vᵀ tanh(…) and v is not normalized.
  virtual bool has_plain_energy() const { return false; }
};
struct TermConfig : StageConfig {
  // The sentence features that it reads (At::features).
  virtual std::vector<const char*> features() const { return {}; }
  // The read-out if the config names none; nullptr: that of the score.
  virtual const char* read() const { return nullptr; }
  // True if it hides all keys that are unread at the time of the query.
  virtual bool hides_unread() const { return false; }
  // True if its effect on a key depends on keys that may be unread, or on their number.
  virtual bool sees_unread() const { return false; }
};
struct NormalizerConfig : StageConfig {
  // True if Normalizer::read() replaces weights() in inference.
  virtual bool reads_ahead() const { return false; }
  // True if the weights have a gradient with respect to the scores in training.
  virtual bool is_differentiable() const { return true; }
  // True if the weights are the softmax of the scores over the readable keys.
  virtual bool is_softmax() const { return false; }
  // True if its paper normalizes v of an additive score.
  virtual bool expects_normalized_energy() const { return false; }
};
struct ReadOutConfig : StageConfig {
  // The width of values, which the heads share.
  virtual int64_t width_of_heads(const StageDims& dims) const { return context_width(dims); }
  virtual int64_t context_width(const StageDims& dims) const = 0;
  // True if ReadOut::read() is the weighted sum of prepared values.
  virtual bool is_weighted_sum() const { return false; }
  // Same as ScorerConfig::clip(); nullopt: that of the score.
  virtual std::optional<int64_t> clip() const { return std::nullopt; }
};

struct HeadCombinationConfig : KindSettings {
  // Minimum number of heads.
  virtual int64_t least_heads() const { return 1; }
  virtual void check(const StageDims& dims, Problems& problems) const {}
};

// All stages (stage_config.cpp); tests add their own.
Registry<ScorerConfig>& scorers();
Registry<TermConfig>& terms();
Registry<NormalizerConfig>& normalizers();
Registry<ReadOutConfig>& readouts();
Registry<HeadCombinationConfig>& head_combinations();

// The settings of each mechanism, defined in its file NAME_config.cpp.
namespace kinds {
#define KIND(Config, mechanism) Kind<Config> mechanism();
#include "nn/attention/mechanisms.def"
#undef KIND
}  // namespace kinds

}  // namespace heed
