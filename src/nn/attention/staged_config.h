// Settings of `type: staged`, the default: score × terms × normalizer × read-out, with heads.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/notes.h"
#include "nn/attention/disagreement_config.h"
#include "nn/attention/stage_config.h"

namespace heed {

struct StagedConfig final : AttentionConfig, Noting {
  std::shared_ptr<ScorerConfig> score;
  std::vector<std::shared_ptr<TermConfig>> terms;
  std::shared_ptr<NormalizerConfig> normalizer;
  std::shared_ptr<HeadCombinationConfig> head_combination;
  std::optional<DisagreementConfig> disagreement;
  std::shared_ptr<ReadOutConfig> read;  // null: the default of the score
  int64_t heads = 1;
  std::optional<int64_t> key_value_heads;  // default: `heads`
  double dropout = 0;

  // Additive, softmax, weighted sum: Bahdanau 2015.
  StagedConfig();
  static std::shared_ptr<StagedConfig> with(const char* score, int64_t heads);
  void fields(Fields& f) override;
  void check(const AttentionDims& dims, Problems& problems) const override;
  int64_t context_width(const AttentionDims& dims) const override;
  bool has_one_distribution() const override { return true; }
  std::vector<std::string> notes() const override;
  // `heads`, unless the score determines the number.
  int64_t weight_heads(const AttentionDims& dims) const override { return stage_dims(dims).heads; }
  bool weights_have_gradient() const override { return normalizer->is_differentiable(); }
  bool hides_unread() const override;

  // `read`, or the default of a term or of the score.
  std::shared_ptr<ReadOutConfig> read_or_default() const;
  // True if several heads of queries share a head of keys and values.
  bool shares_heads() const { return key_value_heads.value_or(heads) != heads; }
  // The name of a stage that needs history; nullptr if there is none.
  const char* stage_with_history() const;
  // The dot product scale, if attention is the plain softmax of dot products (fast/fused_attention.h).
  std::optional<double> fused_scale(const StageDims& dims) const;
  // True if the normalizer can select keys without scoring all of them.
  bool reads_ahead() const;

  // Dimensions of its stages.
  StageDims stage_dims(const AttentionDims& dims) const;

 private:
  void check_heads(const StageDims& dims, Problems& problems) const;
  void check_shared_heads(const StageDims& dims, Problems& problems) const;
  void check_walk(Problems& problems) const;
};

}  // namespace heed
