// The best next tokens of rows whose log-probabilities are all known, as Decoding::best() returns them.
#pragma once

#include <cstdint>
#include <span>

#include "inference/best_of_rows.h"
#include "inference/likely_outputs.h"

namespace heed {

// log(e^a + e^b), also of -∞.
float log_add(float a, float b);

class DistributionRows {
 public:
  // Buffers for intermediate results.
  struct Workspace {
    AlignedFloats values, kept;
    LikelyOutputs likely;
  };

  // count: of the best tokens; vocabulary: V. Tokens behind the vocabulary can be copied.
  DistributionRows(const Kernels& set, int64_t count, int64_t vocabulary, const StepRows& rows,
                   const Distributions& distributions, Workspace& room);

  // Called for each row, in order. log_probs: of all tokens of the row, overwritten.
  void write(int64_t row, std::span<float> log_probs);
  // The same with upper bounds that exceed the log-probabilities by `slack` at most, if no
  // candidates or distributions are wanted; exact(id) is the log-probability of a token.
  template <class Exact>
  void write(int64_t row, std::span<const float> bounds, float slack, const Exact& exact) {
    const RowLimits limits = by_row_.of(row);
    LikelyOutputs& likely = room_.likely;
    likely.choose(set_, bounds, best_.count + std::ssize(limits.banned), forced(limits),
                  [slack](int32_t) { return slack / 2; });
    for (size_t i = 0; i < likely.outputs().size(); ++i)
      likely.logits()[i] = exact(likely.outputs()[i]);
    writer_.write(row, {likely.logits(), likely.outputs()}, 0, limits);
  }
  TopK take() { return std::move(best_); }

 private:
  static int32_t forced(const RowLimits& limits) {
    return limits.forced.empty() ? -1 : limits.forced.front().id;
  }
  void keep_candidates(const Ids& candidates, std::span<float> log_probs);

  const Kernels& set_;
  int64_t vocabulary_;
  const StepRows& rows_;
  Workspace& room_;
  TopK best_;
  LimitsByRow by_row_;
  BestOfRows writer_;
  ShownRows shown_;
};

}  // namespace heed
