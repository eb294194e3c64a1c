// Settings of position encodings, without tensors.
#pragma once

#include "config/fields.h"

namespace heed {

enum class PositionKind { kNone, kSinusoidal, kLearned };
// Order of sines and cosines in the vector of a position. kInterleaved: alternating (Vaswani et al.
// 2017). kHalves: all sines before all cosines, with the same rates (MarianMT of transformers).
// kFairseq: as kHalves, but the last rate is exactly 1/10000 and the first position is 2 (fairseq,
// whose position 1 is padding). kOpennmtTf: as kFairseq, but the first position is 1 (OpenNMT-tf, and
// CTranslate2 for models without a table). kMarian: as kFairseq, but the first position is 0.
enum class SinusoidLayout { kInterleaved, kHalves, kFairseq, kOpennmtTf, kMarian };
int64_t first_position(SinusoidLayout layout);
// W of the rates 10000^(-2i/W), for vectors of this width.
int64_t sinusoid_period(SinusoidLayout layout, int64_t width);

// `positions:` of a config.
struct PositionConfig : KindSettings {
  explicit PositionConfig(PositionKind kind) : kind(kind) {}
  void fields(Fields&) override {}
  PositionKind kind;
  SinusoidLayout layout = SinusoidLayout::kInterleaved;  // of sinusoidal positions
  // Rows of a learned table, or those of a sinusoidal one that are computed at once.
  virtual int64_t max_length() const { return 1024; }
};
const Registry<PositionConfig>& position_kinds();

// The `positions` key of a config with other settings.
struct PositionSettings {
  explicit PositionSettings(const char* kind) : positions(fresh_kind(position_kinds(), kind)) {}
  std::shared_ptr<PositionConfig> positions;
  void position_fields(Fields& f);
};

}  // namespace heed
