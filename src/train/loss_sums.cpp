#include "train/loss_sums.h"

#include "nn/torch.h"

#include "nn/numbers.h"

namespace heed {

LossSums::LossSums(const Tensor& loss, const TokenLoss& tokens, int64_t source_tokens,
                   int64_t examples) {
  const auto options =
      torch::TensorOptions().dtype(torch::kDouble).device(loss.device()).requires_grad(false);
  const auto number = [&](int64_t count) { return torch::full({}, count, options); };
  values_ = torch::stack({loss.detach().to(torch::kDouble), tokens.negative_log_probability,
                          number(tokens.tokens), number(source_tokens),
                          tokens.correct.to(torch::kDouble), number(examples)});
}

void LossSums::set_loss(const Tensor& loss) { values_[0].copy_(loss.detach()); }

LossSums& LossSums::operator+=(const LossSums& other) {
  if (!other.values_.defined()) return *this;
  values_ = values_.defined() ? values_ + other.values_ : other.values_;
  return *this;
}

Tensor LossSums::values() const {
  return values_.defined() ? values_.clone() : torch::zeros({kNumbers}, torch::kDouble);
}

TokenSums LossSums::read(const Tensor& values) {
  const std::vector<double> numbers = numbers_of<double>(values);
  const auto count = [&numbers](size_t i) { return static_cast<int64_t>(numbers[i]); };
  return {.loss = numbers[0],
          .negative_log_probability = numbers[1],
          .tokens = count(2),
          .source_tokens = count(3),
          .correct = count(4),
          .examples = count(5)};
}

}  // namespace heed
