// The factors of dropout (dropout.h), vector by vector. Included after vector_loops.h.
#pragma once

namespace heed {
namespace {

typedef uint32_t Words __attribute__((vector_size(kLanes * 4)));

inline Words lane_numbers() {
  Words numbers;
  for (int i = 0; i < kLanes; ++i) numbers[i] = static_cast<uint32_t>(i);
  return numbers;
}

// The factors of a row.
struct FactorsOfRow {
  FactorsOfRow(const DropoutRows& dropout, int64_t row)
      : rows(dropout),
        index(row),
        low(dropout.keys == nullptr ? 0 : static_cast<uint32_t>(dropout.keys[row])),
        high(dropout.keys == nullptr ? 0 : static_cast<uint32_t>(dropout.keys[row] >> 32)) {}
  // x times the factors from column i on.
  Floats times(Floats x, int64_t i) const {
    if (rows.keys == nullptr) return x;
    const Words hash = dropout_hash(lane_numbers() + static_cast<uint32_t>(i), low, high);
    const Floats kept = x * rows.kept;
    return hash >= Words{} + rows.threshold ? kept : Floats{};
  }
  float times_one(float x, int64_t i) const { return dropped_one(rows, index, i, x); }

  const DropoutRows& rows;
  int64_t index;
  uint32_t low, high;
};

}  // namespace
}  // namespace heed
