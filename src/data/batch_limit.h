// Maximum size of a batch.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "config/fields.h"

namespace heed {

// Limits of a batch: tokens with padding (rows × the longest side of the longest row), or
// sentences. 0: no limit.
struct BatchLimit {
  int64_t tokens = 0;
  int64_t sentences = 0;
  // True if a batch of `rows` rows is within the limits when its longest row has `length` tokens.
  // One row is always allowed.
  bool allows(int64_t rows, int64_t length) const {
    if (rows <= 1) return true;
    return (tokens == 0 || rows * length <= tokens) && (sentences == 0 || rows <= sentences);
  }
};

// `batch: {tokens: 4096}` or `batch: {sentences: 64}`; never both.
struct BatchConfig final : Settings {
  std::optional<int64_t> sentences;
  std::optional<int64_t> tokens = 4096;
  void fields(Fields& f) override;
  void validate(Problems& problems) const override;
  BatchLimit limit() const { return {tokens.value_or(0), sentences.value_or(0)}; }
};

// Groups sentences of these lengths for validation: the longest first, similar lengths together;
// every sentence is in one batch, and sentences of equal length stay in their order. Returns the
// indexes of each batch, so that results can be restored to the order of the input. The limit
// `tokens` counts length + 1 (kEnd).
std::vector<std::vector<size_t>> sorted_batches(const std::vector<int64_t>& lengths,
                                                const BatchLimit& limit);

}  // namespace heed
