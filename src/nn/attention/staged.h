// `type: staged`, the default: score × terms × normalizer × read-out, with heads. Prepares keys and
// values in the state of a sentence, and attends to them by plain_attention() or a fast path.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "nn/attention/attention.h"
#include "nn/attention/empty_rows.h"
#include "nn/attention/fast/fast_path.h"
#include "nn/attention/plain_attention.h"
#include "nn/attention/staged_config.h"
#include "nn/attention/weight_history.h"

namespace heed {

// Position of unused keys of a past, greater than that of any query.
inline constexpr double kBehindAll = 1 << 30;

class StagedAttention final : public Attention {
 public:
  StagedAttention(const StagedConfig& config, const StageDims& dims);
  void start(const Sources& sources, StateView state) override;
  Attended attend(const Tensor& query, const Tensor& positions, StateView state) override;
  Attended attend_past(const Tensor& keys, const Tensor& values, const Tensor& query,
                       const Tensor& positions, StateView state) override;

 private:
  Attended attend(const KeysAndValues& memory, const Tensor& query, const Tensor& positions,
                  StateView state);
  Attended attend(const At& at, const KeysAndValues& memory, StateView state);

  Stages stages_;
  bool needs_history_;
  WeightHistory history_;
  std::vector<std::unique_ptr<FastPath>> fast_;

  // Keys and values of a source; positions, lengths and mask as in Source.
  MemorySlot keys_ = layout_.memory("keys"), values_ = layout_.memory("values"),
             mask_ = layout_.memory("mask"), positions_ = layout_.memory("positions"),
             lengths_ = layout_.memory("lengths");
  EmptyRows empty_{layout_};
  std::map<std::string, MemorySlot> features_;  // sentence features that the terms read
  // Keys and values of a past.
  CacheSlot past_keys_ = layout_.cache("past_keys", 2),
            past_values_ = layout_.cache("past_values", 2),
            past_positions_ = layout_.cache("past_positions", 1, kBehindAll);
  StateBlock normalizer_state_;
};

}  // namespace heed
