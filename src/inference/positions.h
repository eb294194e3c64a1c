// Position encodings, which are added to embeddings (nn/positions.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inference/packer.h"
#include "nn/position_config.h"

namespace heed {

struct PositionShape {
  PositionShape() = default;
  explicit PositionShape(const PositionConfig& config)
      : kind(config.kind),
        layout(config.layout),
        rows(kind == PositionKind::kLearned ? config.max_length() : 0) {}
  PositionKind kind = PositionKind::kSinusoidal;
  SinusoidLayout layout = SinusoidLayout::kInterleaved;
  int64_t rows = 0;  // of a learned table
  bool operator==(const PositionShape&) const = default;
};

// sin(p / 10000^(2i/W)) at even, cos at odd numbers (Vaswani et al. 2017, section 3.5), or first all of
// sin, then all of cos; the others as in nn/positions.h.
class SinusoidalPositions {
 public:
  SinusoidalPositions(int64_t width, SinusoidLayout layout);
  void encode(int64_t position, float* to) const;  // to [W]

 private:
  int64_t waves() const;

  int64_t width_;  // W
  SinusoidLayout layout_;
  std::vector<double> rates_;  // of the angle, for each sine and its cosine
};

class PositionTable {
 public:
  // table: name of the parameter of a learned one
  PositionTable(const PositionShape& shape, int64_t width, const std::string& table,
                const Packer& packer);
  // Adds the encodings to x [positions,W].
  void add_to(float* x, const std::vector<int64_t>& positions) const;

 private:
  PositionShape shape_;
  int64_t width_;  // W
  SinusoidalPositions sinusoidal_;
  std::vector<float> table_;  // [P,W]
};

// The position of each token in its sentence, which is tokens begins[i] to begins[i+1].
std::vector<int64_t> source_positions(const std::vector<int64_t>& begins);

}  // namespace heed
