#include "inference/best_of_rows.h"

#include <algorithm>
#include <cmath>

#include "search/not_a_number.h"

namespace heed {

LimitsByRow::LimitsByRow(const Limits& limits) : banned_(limits.banned), forced_(limits.forced) {
  const auto by_row = [](const Limits::Token& a, const Limits::Token& b) { return a.row < b.row; };
  if (!std::ranges::is_sorted(banned_, by_row)) std::ranges::stable_sort(banned_, by_row);
  if (!std::ranges::is_sorted(forced_, by_row)) std::ranges::stable_sort(forced_, by_row);
}

std::span<const Limits::Token> LimitsByRow::of(const std::vector<Limits::Token>& tokens,
                                               size_t& next, int64_t row) {
  while (next < tokens.size() && tokens[next].row < row) ++next;
  const size_t begin = next;
  while (next < tokens.size() && tokens[next].row == row) ++next;
  return std::span(tokens).subspan(begin, next - begin);
}

int32_t RowLogits::index(int32_t id) const {
  const auto found = std::ranges::lower_bound(tokens, id);
  return found != tokens.end() && *found == id ? static_cast<int32_t>(found - tokens.begin()) : -1;
}

void ban(const RowLogits& logits, std::span<const Limits::Token> banned) {
  for (const auto& token : banned) {
    if (const int32_t index = logits.index(token.id); index >= 0)
      logits.values[index] = kImpossibleLogit;
  }
}

float finite_log_sum(const Kernels& set, std::span<const float> logits) {
  const float log_sum = set.log_sum_exp(logits.data(), std::ssize(logits));
  if (!std::isfinite(log_sum)) throw_not_a_number();
  return log_sum;
}

BestOfRows::BestOfRows(const Kernels& set, AlignedFloats& values, TopK& best)
    : set_(set), values_(values), best_(best) {
  values.resize(static_cast<size_t>(best.count));
}

void BestOfRows::write(int64_t row, const RowLogits& logits, float log_sum,
                       const RowLimits& limits) {
  const int64_t begin = row * best_.count;
  std::fill(values_.begin(), values_.end(), kImpossibleLogit);
  std::fill_n(best_.id.begin() + begin, best_.count, -1);
  if (limits.forced.empty()) {
    ban(logits, limits.banned);
    const auto size = std::ssize(logits.values);
    set_.top_k(logits.values.data(), size, std::min<int64_t>(best_.count, size), values_.data(),
               best_.id.data() + begin);
  } else {
    const int32_t index = logits.index(limits.forced.front().id);
    if (index >= 0 && logits.values[index] != kImpossibleLogit) {
      best_.id[begin] = index;
      values_[0] = logits.values[index];
    }
  }
  for (int64_t i = 0; i < best_.count; ++i) {
    best_.id[begin + i] = logits.token(best_.id[begin + i]);
    best_.log_probability[begin + i] = static_cast<double>(values_[i] - log_sum);
  }
}

}  // namespace heed
