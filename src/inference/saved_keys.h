// The keys of a saved config with a model that has an engine in inference/. Any other key or kind is
// a reading error, so that other models have none. A saved config has all keys; their meanings and
// defaults are documented in nn/ and model/.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/fields.h"

namespace heed {

inline constexpr const char* kNoHelp = "";

struct PlainKeys : KindSettings {
  void fields(Fields&) const override {}
};
const Registry<PlainKeys>& no_kinds();

struct AttentionKeys : PlainKeys {};

// `type: staged` with a softmax of products or additive scores, and a weighted sum.
struct StagedKeys final : AttentionKeys {
  std::shared_ptr<PlainKeys> score, normalizer, read, head_combination, disagreement;
  std::vector<std::shared_ptr<PlainKeys>> terms;
  int64_t heads = 1;
  double dropout = 0;
  void fields(Fields& f) const override;
};
const Registry<AttentionKeys>& attention_key_kinds();

struct ProductScoreKeys final : PlainKeys {  // dot, scaled_dot
  std::optional<bool> project;
  int64_t width = 0;
  void fields(Fields& f) const override;
};

struct AdditiveScoreKeys final : PlainKeys {  // additive, concat
  int64_t hidden = 0;
  bool normalize = false;
  void fields(Fields& f) const override;
};

struct WeightedSumKeys final : PlainKeys {
  std::optional<bool> project;
  void fields(Fields& f) const override;
};

}  // namespace heed
