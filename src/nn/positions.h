// Position encodings, added to the embeddings.
#pragma once

#include "config/fields.h"
#include "nn/module.h"
#include "nn/tensor.h"

namespace heed {

enum class PositionKind { kNone, kSinusoidal, kLearned };
// Order of sines and cosines in the vector of a position. kInterleaved: alternating (Vaswani et al.
// 2017). kHalves: all sines before all cosines, with the same rates (Marian). kFairseq: as kHalves,
// but the last rate is exactly 1/10000 and the first position is 2 (fairseq, whose position 1 is
// padding). kOpennmtTf: as kFairseq, but the first position is 1 (OpenNMT-tf, and CTranslate2 for
// models without a table).
enum class SinusoidLayout { kInterleaved, kHalves, kFairseq, kOpennmtTf };
class Positions;

// `positions:` of a config.
struct PositionConfig : KindSettings {
  explicit PositionConfig(PositionKind kind) : kind(kind) {}
  void fields(Fields&) const override {}
  std::shared_ptr<Positions> build(int64_t width) const;
  PositionKind kind;
  SinusoidLayout layout = SinusoidLayout::kInterleaved;  // of sinusoidal positions

 protected:
  virtual int64_t max_length() const { return 1024; }
};
const Registry<PositionConfig>& position_kinds();

// The `positions` key of a config with other settings.
struct PositionSettings {
  explicit PositionSettings(const char* kind) : positions(fresh_kind(position_kinds(), kind)) {}
  std::shared_ptr<PositionConfig> positions;
  void position_fields(Fields& f) const;
};

class Positions final : public Module {
 public:
  // max_length: rows of a learned table; later positions use the last row.
  Positions(PositionKind kind, int64_t width, int64_t max_length,
            SinusoidLayout layout = SinusoidLayout::kInterleaved);
  // x [R,T,W] + the encodings of positions [R,T].
  Tensor add_to(const Tensor& x, const Tensor& positions);

 private:
  PositionKind kind_;
  SinusoidLayout layout_;
  Tensor table_;  // [P,W]; sinusoidal: grows as needed
};

// sin(p / 10000^(2i/W)) and cos of the same (Vaswani et al. 2017, section 3.5); positions
// 0 … count-1. kFairseq: p + 2, and W-2 in place of W; kOpennmtTf: p + 1, and the same. [count,W]
Tensor sinusoids(int64_t count, int64_t width, const torch::TensorOptions& options,
                 SinusoidLayout layout = SinusoidLayout::kInterleaved);

}  // namespace heed
