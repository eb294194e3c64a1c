#include "nn/attention/scores/additive.h"

#include "nn/torch.h"

#include "base/error.h"
#include "kernels/kernels.h"
#include "nn/gradient_sum.h"
#include "nn/kernel_path.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

Tensor with_contiguous_rows(const Tensor& x) { return x.stride(-1) == 1 ? x : x.contiguous(); }

AdditiveScores scores_of(const Tensor& queries, const Tensor& keys, const Tensor& v, int64_t r,
                         int64_t h) {
  return {
      .width = queries.size(3),
      .query_count = queries.size(2),
      .key_count = keys.size(3),
      .queries = queries.const_data_ptr<float>() + r * queries.stride(0) + h * queries.stride(1),
      .keys = keys.const_data_ptr<float>() + r * keys.stride(0) + h * keys.stride(1),
      .query_stride = queries.stride(2),
      .key_stride = keys.stride(3),
      .keys_of_query = keys.size(2) == 1 ? 0 : keys.stride(2),
      .v = v.const_data_ptr<float>() + h * v.stride(0)};
}

class AdditiveScoresFunction : public torch::autograd::Function<AdditiveScoresFunction> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& any_queries, const Tensor& any_keys,
                        const Tensor& any_v, const GradientSumPointer& sum) {
    const Tensor queries = with_contiguous_rows(any_queries), keys = with_contiguous_rows(any_keys),
                 v = with_contiguous_rows(any_v);
    const int64_t rows = queries.size(0), heads = queries.size(1);
    const Tensor scores =
        torch::empty({rows, heads, queries.size(2), keys.size(3)}, queries.options());
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t h = 0; h < heads; ++h) {
        kernels().additive_scores(
            scores_of(queries, keys, v, r, h),
            scores.data_ptr<float>() + r * scores.stride(0) + h * scores.stride(1));
      }
    }
    context->save_for_backward({queries, keys, v});
    if (sum) context->saved_data["sum"] = c10::IValue::make_capsule(sum);
    return scores;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &queries = saved[0], &keys = saved[1], &v = saved[2];
    const Tensor by_scores = gradients[0].contiguous();
    const auto zeros = [](const Tensor& x) { return torch::zeros(x.sizes(), x.options()); };
    const auto sum = context->saved_data.find("sum");
    const bool is_summed = sum != context->saved_data.end();
    const Tensor by_queries = zeros(queries), by_v = zeros(v),
                 by_keys = is_summed ? gradient_sum(sum->second).total().unsqueeze(2) : zeros(keys);
    const auto part = [](const Tensor& x, int64_t r, int64_t h) {
      return x.data_ptr<float>() + r * x.stride(0) + h * x.stride(1);
    };
    for (int64_t r = 0; r < queries.size(0); ++r) {
      for (int64_t h = 0; h < queries.size(1); ++h) {
        kernels().additive_scores_backward(
            scores_of(queries, keys, v, r, h),
            {.scores = part(by_scores, r, h),
             .queries = part(by_queries, r, h),
             .keys = part(by_keys, r, h),
             .v = by_v.data_ptr<float>() + h * by_v.stride(0),
             .keys_of_query = keys.size(2) == 1 ? 0 : by_keys.stride(2)});
      }
    }
    return {by_queries, is_summed ? Tensor() : by_keys, by_v, Tensor()};
  }
};

}  // namespace

Tensor additive_scores(const Tensor& queries, const Tensor& keys, const Tensor& v) {
  const Tensor by_query = keys.dim() == 4 ? keys.unsqueeze(2) : keys;  // [R,H,1|T,S,D]
  if (takes_kernels(queries)) {
    HEED_CHECK(keys.size(0) == queries.size(0) && keys.size(1) == queries.size(1), "{} rows",
               keys.size(0));
    return AdditiveScoresFunction::apply(queries, by_query, v, gradient_sum_of(keys));
  }
  const Tensor compared = (queries.unsqueeze(3) + by_query).tanh_();  // [R,H,T,S,D]
  return torch::matmul(compared, v.unsqueeze(1).unsqueeze(3)).squeeze(4);
}

}  // namespace heed
