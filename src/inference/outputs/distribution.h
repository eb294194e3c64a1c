// Outputs that compute the probabilities of all tokens of a row.
#pragma once

#include <algorithm>
#include <functional>
#include <span>

#include "inference/distribution_rows.h"
#include "inference/outputs/output.h"

namespace heed {

class DistributionDecoding : public OutputDecoding {
 public:
  explicit DistributionDecoding(const Kernels& set) : set_(set) {}
  TopK best(const StepVectors& step, int64_t count, const StepRows& rows,
            const Distributions& distributions) final {
    DistributionRows best(set_, std::min(count, most_tokens()), vocabulary(), rows, distributions,
                          room_);
    each_row(step, rows.rows,
             [&](int64_t row, std::span<float> log_probs) { best.write(row, log_probs); });
    return best.take();
  }

 protected:
  using Visit = std::function<void(int64_t row, std::span<float> log_probs)>;
  // Calls visit() with the log-probabilities of each row, in order: those of the vocabulary, and of
  // the tokens behind it that the row can copy.
  virtual void each_row(const StepVectors& step, int64_t rows, const Visit& visit) = 0;
  // V
  virtual int64_t vocabulary() const = 0;
  // Largest number of tokens of a row.
  virtual int64_t most_tokens() const { return vocabulary(); }

  const Kernels& set_;

 private:
  DistributionRows::Workspace room_;
};

}  // namespace heed
