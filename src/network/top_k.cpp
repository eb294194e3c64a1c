#include "network/top_k.h"

#include "nn/torch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "network/ensemble.h"
#include "nn/numbers.h"
#include "search/not_a_number.h"

namespace heed {

namespace {

// The best values of one row so far, in order.
class BestOfRow {
 public:
  BestOfRow(double* values, int32_t* ids, int64_t count)
      : values_(values), ids_(ids), count_(count) {
    std::fill_n(values_, count_, -std::numeric_limits<double>::infinity());
    std::fill_n(ids_, count_, -1);
  }
  double worst() const { return values_[count_ - 1]; }
  void insert(double value, int32_t id) {
    if (std::isnan(value)) throw_not_a_number();
    int64_t rank = count_ - 1;
    for (; rank > 0 && values_[rank - 1] < value; --rank) {
      values_[rank] = values_[rank - 1];
      ids_[rank] = ids_[rank - 1];
    }
    values_[rank] = value;
    ids_[rank] = id;
  }

 private:
  double* values_;
  int32_t* ids_;
  int64_t count_;
};

// Written so that a compiler makes it a few wide comparisons; not a number counts as better.
template <class T>
bool any_better(const T* values, int64_t size, T worst) {
  int better = 0;
  for (int64_t i = 0; i < size; ++i) better |= static_cast<int>(!(values[i] <= worst));
  return better != 0;
}

// One pass over each row: with thousands of ids and a small k, nearly all blocks have no better
// value and are skipped.
template <class T>
TopK scan(const Tensor& log_probs, int64_t count) {
  const int64_t rows = log_probs.size(0), size = log_probs.size(1);
  TopK best{count, std::vector<double>(rows * count), std::vector<int32_t>(rows * count)};
  const T* values = log_probs.const_data_ptr<T>();
  constexpr int64_t kBlock = 64;
  for (int64_t row = 0; row < rows; ++row, values += size) {
    BestOfRow row_best(&best.log_probability[row * count], &best.id[row * count], count);
    for (int64_t begin = 0; begin < size; begin += kBlock) {
      const int64_t end = std::min(size, begin + kBlock);
      if (!any_better(values + begin, end - begin, static_cast<T>(row_best.worst()))) continue;
      for (int64_t i = begin; i < end; ++i) {
        if (!(values[i] <= row_best.worst())) row_best.insert(values[i], static_cast<int32_t>(i));
      }
    }
  }
  return best;
}

}  // namespace

TopK top_k(const Tensor& log_probs, int64_t count) {
  count = std::min(count, log_probs.size(1));
  if (!log_probs.device().is_cpu()) return top_k_by_sorting(log_probs, count);
  if (log_probs.scalar_type() == torch::kDouble) return scan<double>(log_probs.contiguous(), count);
  return scan<float>(log_probs.to(torch::kFloat).contiguous(), count);
}

TopK top_k_by_sorting(const Tensor& log_probs, int64_t count) {
  count = std::min(count, log_probs.size(1));
  auto [values, ids] = log_probs.topk(count, 1);  // [R,K]
  const Tensor worst = values.narrow(1, count - 1, 1);
  // topk leaves open which of equal values it takes: if the last position is contested, sort.
  const Tensor contested = log_probs.ge(worst).sum(1).gt(count).logical_and(
      worst.squeeze(1).gt(-std::numeric_limits<double>::infinity()));
  if (contested.any().item<bool>()) {
    std::tie(values, ids) = torch::sort(log_probs, true, 1, true);
    values = values.narrow(1, 0, count);
    ids = ids.narrow(1, 0, count);
  }
  const std::vector<double> all_values = numbers_of<double>(values),
                            all_ids = numbers_of<double>(ids);
  TopK best{count, std::vector<double>(all_values.size()), std::vector<int32_t>(all_ids.size())};
  std::vector<std::pair<double, int32_t>> row(count);
  for (size_t begin = 0; begin < all_values.size(); begin += count) {
    for (int64_t i = 0; i < count; ++i) {
      const double value = all_values[begin + i];
      if (std::isnan(value)) throw_not_a_number();
      row[i] = {-value, std::isinf(value) ? -1 : static_cast<int32_t>(all_ids[begin + i])};
    }
    std::sort(row.begin(), row.end());
    for (int64_t i = 0; i < count; ++i) {
      best.log_probability[begin + i] = -row[i].first;
      best.id[begin + i] = row[i].second;
    }
  }
  return best;
}

}  // namespace heed
