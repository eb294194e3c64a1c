// TokenSums as tensors until they are read, so that the device is not synchronized after each
// shard.
#pragma once

#include "model/output.h"
#include "run/progress.h"

namespace heed {

class LossSums {
 public:
  LossSums() = default;  // of nothing
  // loss: what is minimised of this batch []
  LossSums(const Tensor& loss, const TokenLoss& tokens, int64_t source_tokens, int64_t examples);
  // In place of that of the tokens.
  void set_loss(const Tensor& loss);
  LossSums& operator+=(const LossSums& other);
  static constexpr int64_t kNumbers = 6;
  // [6] double, the numbers of TokenSums: on the device of the loss; of nothing zeros.
  Tensor values() const;
  static TokenSums read(const Tensor& values);
  TokenSums read() const { return read(values()); }

 private:
  Tensor values_;
};

}  // namespace heed
