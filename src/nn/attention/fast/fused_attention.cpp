#include "nn/attention/fast/fused_attention.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "nn/torch.h"

#include "base/error.h"
#include "kernels/aligned.h"
#include "kernels/kernels.h"

namespace heed {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// [R,H,T,D] -> [R,T,H,D], contiguous
Tensor heads_last(const Tensor& x) { return x.transpose(1, 2).contiguous(); }

// Readable keys of a row: their number up to the last readable one, and whether all of these are
// readable.
struct ReadableKeys {
  int64_t count = 0;
  bool all = true;
  ReadableKeys(const bool* readable, int64_t size) {
    if (readable == nullptr) {
      count = size;
      return;
    }
    for (int64_t s = 0; s < size; ++s) {
      if (readable[s]) count = s + 1;
    }
    all = std::count(readable, readable + count, true) == count;
  }
};

// The sentences of a batch; queries [R,T,H,D], keys [R,S,H,D], values [R,S,H,V], mask [R,S] or
// undefined, dropout of [R,H,T,S], weights [R,H,T,S padded].
class AttentionBatch {
 public:
  AttentionBatch(const Tensor& queries, const Tensor& keys, const Tensor& values,
                 const Tensor& mask, const DropoutKeys& dropout, const Tensor& weights)
      : queries_(queries),
        keys_(keys),
        values_(values),
        mask_(mask),
        dropout_(dropout.rows()),
        weights_(weights) {
    SentenceAttention longest = dimensions();
    longest.key_count = keys.size(1);
    work_.resize(static_cast<size_t>(work_size(longest)));
  }
  int64_t size() const { return queries_.size(0); }

  // context: [R,T,H,V], the result; nullptr: not written
  SentenceAttention sentence(int64_t r, double scale, bool causal, float* context) {
    SentenceAttention view = dimensions();
    const bool* mask = mask_.defined() ? mask_.const_data_ptr<bool>() + r * keys_.size(1) : nullptr;
    const ReadableKeys readable(mask, keys_.size(1));
    const auto row = [r](const Tensor& x) { return x.const_data_ptr<float>() + r * x.stride(0); };
    view.key_count = readable.count;
    view.queries = row(queries_);
    view.keys = row(keys_);
    view.values = row(values_);
    view.scale = static_cast<float>(scale);
    view.causal = causal;
    view.readable = readable.all ? nullptr : mask;
    view.dropout = dropout_;
    if (dropout_.keys != nullptr) view.dropout.keys += r * view.heads * view.query_count;
    view.weights = weights_.data_ptr<float>() + r * weights_.stride(0);
    view.context =
        context == nullptr ? nullptr : context + r * view.query_count * view.context_stride;
    view.work = work_.data();
    HEED_CHECK(work_size(view) <= std::ssize(work_), "{} keys", view.key_count);
    return view;
  }

 private:
  // Dimensions, which are equal for all sentences.
  SentenceAttention dimensions() const {
    const int64_t heads = queries_.size(2), width = queries_.size(3), value_width = values_.size(3);
    return {.heads = heads,
            .width = width,
            .value_width = value_width,
            .query_count = queries_.size(1),
            .query_stride = heads * width,
            .key_stride = heads * width,
            .value_stride = heads * value_width,
            .weight_stride = weights_.size(3),
            .context_stride = heads * value_width};
  }

  const Tensor &queries_, &keys_, &values_, &mask_;
  DropoutRows dropout_;
  const Tensor& weights_;
  std::vector<float> work_;
};

// Clears x[r] from its row `begin` on; x is contiguous.
void clear_rows(const Tensor& x, int64_t r, int64_t begin) {
  const int64_t width = x.size(2) * x.size(3), row = r * x.size(1);
  auto* data = x.data_ptr<float>();
  std::fill(data + (row + begin) * width, data + (row + x.size(1)) * width, 0.0F);
}

class FusedAttentionFunction : public torch::autograd::Function<FusedAttentionFunction> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& queries_by_head,
                        const Tensor& keys_by_head, const Tensor& values_by_head,
                        const std::optional<Tensor>& readable, const DropoutKeys& dropout,
                        double scale, bool causal) {
    const Tensor mask = readable.value_or(Tensor());
    const Tensor queries = heads_last(queries_by_head), keys = heads_last(keys_by_head),
                 values = heads_last(values_by_head);
    const int64_t padded = filled_up(keys.size(1), kSumLanes);
    const Tensor weights = torch::empty({queries.size(0), queries.size(2), queries.size(1), padded},
                                        queries.options());
    const Tensor result = torch::empty(
        {queries.size(0), queries.size(1), queries.size(2), values.size(3)}, queries.options());
    AttentionBatch batch(queries, keys, values, mask, dropout, weights);
    for (int64_t r = 0; r < batch.size(); ++r)
      kernels().attend_sentence(batch.sentence(r, scale, causal, result.data_ptr<float>()));
    context->save_for_backward({queries, keys, values, mask, dropout.keys, weights});
    context->saved_data["dropout"] = dropout.p;
    context->saved_data["scale"] = scale;
    context->saved_data["causal"] = causal;
    return result.transpose(1, 2);
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const Tensor &queries = saved[0], &keys = saved[1], &values = saved[2], &mask = saved[3];
    const double scale = context->saved_data.at("scale").toDouble();
    const bool causal = context->saved_data.at("causal").toBool();
    const Tensor by_context = heads_last(gradients[0]);
    const Tensor by_queries = torch::empty_like(queries), by_keys = torch::empty_like(keys),
                 by_values = torch::empty_like(values);
    const DropoutKeys dropout{.keys = saved[4], .p = context->saved_data.at("dropout").toDouble()};
    AttentionBatch batch(queries, keys, values, mask, dropout, saved[5]);
    for (int64_t r = 0; r < batch.size(); ++r) {
      const SentenceAttention sentence = batch.sentence(r, scale, causal, nullptr);
      kernels().attend_sentence_backward(
          sentence, {.context = by_context.const_data_ptr<float>() + r * by_context.stride(0),
                     .queries = by_queries.data_ptr<float>() + r * by_queries.stride(0),
                     .keys = by_keys.data_ptr<float>() + r * by_keys.stride(0),
                     .values = by_values.data_ptr<float>() + r * by_values.stride(0)});
      clear_rows(by_keys, r, sentence.key_count);
      clear_rows(by_values, r, sentence.key_count);
    }
    return {by_queries.transpose(1, 2),
            by_keys.transpose(1, 2),
            by_values.transpose(1, 2),
            Tensor(),
            Tensor(),
            Tensor(),
            Tensor()};
  }
};

}  // namespace

Tensor fused_attention(const Tensor& queries, const Tensor& keys, const Tensor& values,
                       const Tensor& readable, const FusedAttention& settings, const Pass& pass) {
  std::optional<Tensor> mask;
  if (readable.defined()) mask = readable.contiguous();
  const DropoutKeys dropout = dropout_keys(
      {queries.size(0), queries.size(1), queries.size(2), keys.size(2)}, settings.dropout, pass);
  return FusedAttentionFunction::apply(queries, keys, values, mask, dropout, settings.scale,
                                       settings.causal);
}

}  // namespace heed
