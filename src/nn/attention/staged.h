// `type: staged`, the default: score × terms × normalizer × read-out, with heads.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "nn/attention/attention.h"
#include "nn/attention/empty_rows.h"
#include "nn/attention/staged_config.h"
#include "nn/attention/stages.h"

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
  struct Memory;
  Attended attend(const Memory& memory, const Tensor& query, const Tensor& positions,
                  StateView state);
  History history(const Memory& memory, const StateView& state) const;
  Tensor readable(const Memory& memory, const Tensor& positions) const;
  bool can_fuse(const At& at, const Memory& memory) const;
  Attended attend_fused(At& at, const Memory& memory, const Tensor& mask);
  Attended attend_at(At& at, const Memory& memory, Tensor mask);
  Attended read_ahead(At& at, const Memory& memory, const Tensor& mask);
  Tensor context(const Tensor& heads, const Tensor& mask, const Memory& memory, const At& at);
  Attended walk(At& at, const Memory& memory, const Tensor& mask, StateView state);
  Attended walk_ahead(At& at, const Memory& memory, const Tensor& mask);

  std::shared_ptr<Scorer> scorer_;
  std::shared_ptr<Scorer> second_;  // for normalizers with second scores, else null
  std::vector<std::shared_ptr<Term>> terms_;
  std::shared_ptr<Normalizer> normalizer_;
  std::shared_ptr<ReadOut> readout_;
  int64_t heads_;
  double dropout_;
  std::optional<DisagreementConfig> disagreement_;
  bool needs_history_, reads_ahead_;
  std::optional<double> fused_scale_;  // StagedConfig::fused_scale()

  // Keys and values of a source; positions, lengths and mask as in Source.
  MemorySlot keys_ = layout_.memory("keys"), values_ = layout_.memory("values"),
             second_keys_ = layout_.memory("second_keys"), mask_ = layout_.memory("mask"),
             positions_ = layout_.memory("positions"), lengths_ = layout_.memory("lengths");
  EmptyRows empty_{layout_};
  std::map<std::string, MemorySlot> features_;  // sentence features that the terms read
  // Keys and values of a past.
  CacheSlot past_keys_ = layout_.cache("past_keys", 2),
            past_values_ = layout_.cache("past_values", 2),
            past_second_keys_ = layout_.cache("past_second_keys", 2),
            past_positions_ = layout_.cache("past_positions", 1, kBehindAll);
  // History of each hypothesis: [R,H,S], [R,H,S], two [R,H,S,…]; and At::carried [R,H,…].
  CarrySlot previous_ = layout_.carry("previous"), total_ = layout_.carry("total"),
            kept_ = layout_.carry("kept"), second_kept_ = layout_.carry("second_kept"),
            carried_ = layout_.carry("carried");
};

}  // namespace heed
