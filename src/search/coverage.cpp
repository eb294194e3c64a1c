#include "search/coverage.h"

#include "nn/torch.h"

#include "base/error.h"

namespace heed {

namespace {

constexpr double kLeast = 1e-6;

}  // namespace

Coverage::Coverage(const SourceBatch& source) {
  const Tensor pieces = length_mask(source.lengths - 1, source.ids.size(1));  // [R,S]
  read_ = pieces.logical_not().to(torch::kDouble);
}

std::vector<double> Coverage::add(const Tensor& weights) {
  HEED_CHECK(weights.defined() && weights.size(2) == read_.size(1),
             "coverage wants a weight for each place of the source");
  read_ = read_ + weights.sum(1);
  const Tensor sums = read_.clamp(kLeast, 1).log().sum(1).to(torch::kCPU);  // [R]
  const auto* data = sums.const_data_ptr<double>();
  return {data, data + sums.numel()};
}

void Coverage::take(const Tensor& rows) { read_ = read_.index_select(0, rows); }

}  // namespace heed
