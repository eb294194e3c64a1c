// Kernels without vectors, for processors without AVX2.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "kernels/sets.h"

namespace heed {

namespace {

constexpr bool kHasFastInt8 = false;

float sum_at(const MatrixView& w, int64_t output, float sum) {
  return w.bias != nullptr ? sum + w.bias[output] : sum;
}

void product(const float* x, int64_t rows, int64_t stride, const MatrixView& w, float* y,
             int64_t y_stride) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t o = 0; o < w.outputs; ++o) {
      float sum = 0;
      for (int64_t i = 0; i < w.inputs; ++i) sum += x[r * stride + i] * w.floats[o * w.inputs + i];
      y[r * y_stride + o] = sum_at(w, o, sum);
    }
  }
}

// A panel is one output.
void product_of_panels(const float* x, const MatrixView& w, const int32_t* panels, int64_t count,
                       float* y) {
  for (int64_t p = 0; p < count; ++p) {
    MatrixView output = w;
    output.outputs = 1;
    output.floats += panels[p] * w.inputs;
    if (w.bias != nullptr) output.bias += panels[p];
    product(x, 1, w.inputs, output, y + p, 1);
  }
}

float float_of(uint16_t half) { return std::bit_cast<float>(static_cast<uint32_t>(half) << 16); }

void product_bf16(const uint16_t* x, int64_t rows, int64_t stride, const MatrixView& w, float* y,
                  int64_t y_stride) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t o = 0; o < w.outputs; ++o) {
      float sum = 0;
      for (int64_t i = 0; i < w.depth; ++i)
        sum += float_of(x[r * stride + i]) * float_of(w.halves[o * w.depth + i]);
      y[r * y_stride + o] = sum_at(w, o, sum);
    }
  }
}

void round_bf16(const float* x, int64_t rows, int64_t width, int64_t depth, uint16_t* to) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < depth; ++i) {
      const float value = i < width ? x[r * width + i] : 0;
      const auto bits = std::bit_cast<uint32_t>(value);
      const uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
      const auto half = static_cast<uint16_t>(std::isnan(value) ? 0x7FC0 : rounded);
      std::memcpy(to + r * depth + i, &half, sizeof(half));  // `to` may be the memory of x
    }
  }
}

void product_int8(const QuantizedRows& x, int64_t rows, const MatrixView& w, float* y,
                  int64_t y_stride) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t o = 0; o < w.outputs; ++o) {
      int32_t sum = 0;
      for (int64_t i = 0; i < w.depth; ++i)
        sum += (x.bytes[r * w.depth + i] - 128) * w.bytes[o * w.depth + i];
      y[r * y_stride + o] = sum_at(w, o, static_cast<float>(sum) * w.scales[o] * x.scales[r]);
    }
  }
}

void product_int16(const Int16Rows& x, int64_t rows, const MatrixView& w, float* y,
                   int64_t y_stride) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t o = 0; o < w.outputs; ++o) {
      int32_t sum = 0;
      for (int64_t i = 0; i < w.depth; ++i)
        sum += x.shorts[r * w.depth + i] * w.shorts[o * w.depth + i];
      y[r * y_stride + o] = sum_at(w, o, static_cast<float>(sum) * w.scales[o] * x.scales[r]);
    }
  }
}

void quantize(const float* x, int64_t rows, int64_t stride, int64_t width, int64_t depth,
              const QuantizedRows& to) {
  for (int64_t r = 0; r < rows; ++r) {
    const float* row = x + r * stride;
    float largest = 0;
    bool odd = false;  // true if a value is not finite
    for (int64_t i = 0; i < width; ++i) {
      largest = std::max(largest, std::fabs(row[i]));
      odd = odd || !std::isfinite(row[i]);
    }
    const float scale = largest > kSmallestQuantized && !odd ? 127 / largest : 0;
    for (int64_t i = 0; i < depth; ++i) {
      const float q = i < width && !odd ? std::nearbyint(row[i] * scale) : 0;
      to.bytes[r * depth + i] = static_cast<uint8_t>(static_cast<int>(q) + 128);
    }
    to.scales[r] = odd ? std::numeric_limits<float>::quiet_NaN() : scale > 0 ? largest / 127 : 0;
  }
}

constexpr auto quantize_weights = quantize;

void quantize_int16(const float* x, int64_t rows, int64_t stride, int64_t width, int64_t depth,
                    const Int16Rows& to) {
  for (int64_t r = 0; r < rows; ++r) {
    const float* row = x + r * stride;
    double largest = 0, squares = 0;
    for (int64_t i = 0; i < width; ++i) {
      largest = std::max(largest, std::fabs(static_cast<double>(row[i])));
      squares += static_cast<double>(row[i]) * row[i];
    }
    const bool is_finite = std::isfinite(squares);
    const double scale = largest > kSmallestQuantized && is_finite
                             ? std::min(kNormInt16 / std::sqrt(squares), 32'767 / largest)
                             : 0;
    for (int64_t i = 0; i < depth; ++i)
      to.shorts[r * depth + i] = i < width && scale > 0
                                     ? static_cast<int16_t>(std::nearbyint(row[i] * scale))
                                     : int16_t{0};
    to.scales[r] = !is_finite  ? std::numeric_limits<float>::quiet_NaN()
                   : scale > 0 ? static_cast<float>(1 / scale)
                               : 0;
  }
}

void normalize(const LayerNormView& view, float* y, uint16_t* rounded) {
  const auto size = static_cast<double>(view.width);
  for (int64_t r = 0; r < view.rows; ++r) {
    const float* x = view.x + r * view.width;
    float* to = y + r * view.width;
    double mean = 0, variance = 0;
    for (int64_t i = 0; i < view.width; ++i) mean += x[i];
    mean /= size;
    for (int64_t i = 0; i < view.width; ++i) variance += (x[i] - mean) * (x[i] - mean);
    variance /= size;
    const double scale = 1 / std::sqrt(variance + 1e-5);
    for (int64_t i = 0; i < view.width; ++i)
      to[i] = static_cast<float>((x[i] - mean) * scale) * view.gain[i] + view.bias[i];
    if (view.mean != nullptr) view.mean[r] = static_cast<float>(mean);
    if (view.scale != nullptr) view.scale[r] = static_cast<float>(scale);
  }
  if (rounded != nullptr) round_bf16(y, view.rows, view.width, view.width, rounded);
}

void layer_norm(const float* x, int64_t rows, int64_t width, const float* gain, const float* bias,
                float* y) {
  normalize({.rows = rows, .width = width, .x = x, .gain = gain, .bias = bias}, y, nullptr);
}

void add(const float* x, int64_t count, float* y) {
  for (int64_t i = 0; i < count; ++i) y[i] += x[i];
}

void relu(float* x, int64_t count) {
  for (int64_t i = 0; i < count; ++i) x[i] = x[i] < 0 ? 0 : x[i];
}

void silu_times(const float* gate, int64_t count, float* x) {
  for (int64_t i = 0; i < count; ++i) x[i] *= gate[i] / (1 + std::exp(-gate[i]));
}

void softmax(float* x, int64_t count) {
  const float most = *std::max_element(x, x + count);
  float sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += x[i] = std::exp(x[i] - most);
  for (int64_t i = 0; i < count; ++i) x[i] /= sum;
}

void weigh(float* scores, int64_t count, const float* values, int64_t stride, int64_t width,
           float* context) {
  softmax(scores, count);
  for (int64_t i = 0; i < width; ++i) {
    context[i] = 0;
    for (int64_t s = 0; s < count; ++s) context[i] += scores[s] * values[s * stride + i];
  }
}

// Converts bfloat16 to float32.
std::vector<float> floats_of(const uint16_t* halves, int64_t count) {
  std::vector<float> floats(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) floats[i] = float_of(halves[i]);
  return floats;
}

void attend(const AttentionView& view) {
  if (view.keys.halves != nullptr) {
    const auto keys = floats_of(view.keys.halves, view.heads * view.width * view.padded);
    const auto values = floats_of(view.values.halves, (view.key_count - 1) * view.value_stride +
                                                          view.heads * view.value_width);
    AttentionView same = view;
    same.keys = {keys.data()};
    same.values = {values.data()};
    return attend(same);
  }
  for (int64_t q = 0; q < view.query_count; ++q) {
    for (int64_t h = 0; h < view.heads; ++h) {
      const float* query = view.queries + q * view.query_stride + h * view.width;
      for (int64_t s = 0; s < view.key_count; ++s) {
        view.scores[s] = 0;
        for (int64_t d = 0; d < view.width; ++d)
          view.scores[s] += query[d] * view.keys.floats[(h * view.width + d) * view.padded + s];
      }
      weigh(view.scores, view.key_count, view.values.floats + h * view.value_width,
            view.value_stride, view.value_width,
            view.context + q * view.context_stride + h * view.value_width);
      for (int64_t s = 0; view.mean != nullptr && s < view.key_count; ++s)
        view.mean[q * view.mean_stride + s] += view.scores[s] / static_cast<float>(view.heads);
    }
  }
}

void attend_past(const PastView& view) {
  const int64_t all_heads = view.heads * view.width;
  for (int64_t h = 0; h < view.heads; ++h) {
    const auto at = [&](const NumbersView& x, int64_t i, int64_t d) {
      const int64_t index = view.slots[i] * all_heads + h * view.width + d;
      return x.halves != nullptr ? float_of(x.halves[index]) : x.floats[index];
    };
    for (int64_t i = 0; i < view.count; ++i) {
      view.scores[i] = 0;
      for (int64_t d = 0; d < view.width; ++d)
        view.scores[i] += view.query[h * view.width + d] * at(view.keys, i, d);
    }
    softmax(view.scores, view.count);
    for (int64_t d = 0; d < view.width; ++d) {
      float sum = 0;
      for (int64_t i = 0; i < view.count; ++i) sum += view.scores[i] * at(view.values, i, d);
      view.context[h * view.width + d] = sum;
    }
  }
}

float log_sum_exp(const float* x, int64_t count) {
  float most = x[0];
  for (int64_t i = 1; i < count; ++i) most = std::max(most, x[i]);
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += std::exp(static_cast<double>(x[i]) - most);
  return static_cast<float>(most + std::log(sum));
}

// A panel has one column.
void greatest_of_panels(const float* x, int64_t count, float* to) { std::copy_n(x, count, to); }

void top_k(const float* x, int64_t count, int64_t wanted, float* values, int32_t* ids) {
  std::vector<int32_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [x](int32_t a, int32_t b) { return x[a] > x[b]; });
  constexpr float kNone = -std::numeric_limits<float>::infinity();
  for (int64_t i = 0; i < wanted; ++i) {
    const int32_t id = i < count ? order[static_cast<size_t>(i)] : -1;
    const bool possible = id >= 0 && x[id] > kNone;
    values[i] = possible ? x[id] : kNone;
    ids[i] = possible ? id : -1;
  }
}

void round_and_sum(const float* x, int64_t rows, int64_t width, uint16_t* to, float* sums) {
  round_bf16(x, 1, rows * width, rows * width, to);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < width; ++i) sums[i] += x[r * width + i];
  }
}

CrossEntropyRow cross_entropy(const CrossEntropyView& view) {
  float* x = view.scores;
  for (int64_t i = 0; view.bias != nullptr && i < view.count; ++i) x[i] += view.bias[i];
  const float most = *std::max_element(x, x + view.count), target_score = x[view.target];
  const bool is_first = std::max_element(x, x + view.count) - x == view.target;
  double scores = 0, sum = 0;
  for (int64_t i = 0; i < view.count; ++i) {
    scores += x[i] - most;
    x[i] = std::exp(x[i] - most);
    sum += x[i];
  }
  const auto size = static_cast<double>(view.count);
  for (int64_t i = 0; i < view.count && view.with_gradient; ++i) {
    const double smooth = view.smoothing / size - (i == view.target ? view.smoothing - 1 : 0);
    x[i] = static_cast<float>(x[i] / sum - smooth);
  }
  if (view.with_gradient && view.rounded != nullptr)
    round_bf16(x, 1, view.count, view.count, view.rounded);
  return {.loss = static_cast<float>(std::log(sum) - (target_score - most)),
          .mean = static_cast<float>(std::log(sum) - scores / size),
          .is_first = is_first};
}

// View of one head.
struct Head {
  const SentenceAttention& view;
  int64_t index;
  const float* query(int64_t t) const {
    return view.queries + t * view.query_stride + index * view.width;
  }
  const float* key(int64_t s) const { return view.keys + s * view.key_stride + index * view.width; }
  const float* value(int64_t s) const {
    return view.values + s * view.value_stride + index * view.value_width;
  }
  float* weights(int64_t t) const {
    return view.weights + (index * view.query_count + t) * view.weight_stride;
  }
  float factor(int64_t t, int64_t s) const {
    return dropout_factor(view.dropout, index * view.query_count + t, s);
  }
  bool is_readable(int64_t t, int64_t s) const {
    return s < view.key_count && !(view.causal && s > t) &&
           (view.readable == nullptr || view.readable[s]);
  }
};

void weigh(const Head& head, int64_t t) {
  const SentenceAttention& view = head.view;
  float* weights = head.weights(t);
  float most = -std::numeric_limits<float>::infinity(), sum = 0;
  for (int64_t s = 0; s < view.weight_stride; ++s) {
    weights[s] = -std::numeric_limits<float>::infinity();
    if (!head.is_readable(t, s)) continue;
    weights[s] = view.scale *
                 std::inner_product(head.query(t), head.query(t) + view.width, head.key(s), 0.0F);
    most = std::max(most, weights[s]);
  }
  for (int64_t s = 0; s < view.weight_stride; ++s) {
    weights[s] = head.is_readable(t, s) ? std::exp(weights[s] - most) : 0;
    sum += weights[s];
  }
  for (int64_t s = 0; s < view.weight_stride && sum > 0; ++s) weights[s] /= sum;
}

void attend_sentence(const SentenceAttention& view) {
  for (int64_t h = 0; h < view.heads; ++h) {
    const Head head{view, h};
    for (int64_t t = 0; t < view.query_count; ++t) {
      weigh(head, t);
      float* context = view.context + t * view.context_stride + h * view.value_width;
      std::fill(context, context + view.value_width, 0.0F);
      for (int64_t s = 0; s < view.key_count; ++s) {
        const float weight = head.weights(t)[s] * head.factor(t, s);
        for (int64_t i = 0; i < view.value_width; ++i) context[i] += weight * head.value(s)[i];
      }
    }
  }
}

void attend_sentence_backward(const SentenceAttention& view,
                              const SentenceAttentionGradient& gradient) {
  std::vector<float> by_scores(static_cast<size_t>(view.key_count));
  for (int64_t h = 0; h < view.heads; ++h) {
    const Head head{view, h};
    const auto row = [](float* data, int64_t r, int64_t stride, int64_t column) {
      return data + r * stride + column;
    };
    for (int64_t s = 0; s < view.key_count; ++s) {
      float* by_key = row(gradient.keys, s, view.key_stride, h * view.width);
      float* by_value = row(gradient.values, s, view.value_stride, h * view.value_width);
      std::fill(by_key, by_key + view.width, 0.0F);
      std::fill(by_value, by_value + view.value_width, 0.0F);
    }
    for (int64_t t = 0; t < view.query_count; ++t) {
      const float* by_context = gradient.context + t * view.context_stride + h * view.value_width;
      const float* weights = head.weights(t);
      float mean = 0;
      for (int64_t s = 0; s < view.key_count; ++s) {
        by_scores[s] =
            head.factor(t, s) *
            std::inner_product(by_context, by_context + view.value_width, head.value(s), 0.0F);
        mean += weights[s] * by_scores[s];
      }
      float* by_query = row(gradient.queries, t, view.query_stride, h * view.width);
      std::fill(by_query, by_query + view.width, 0.0F);
      for (int64_t s = 0; s < view.key_count; ++s) {
        const float by_score = weights[s] * (by_scores[s] - mean) * view.scale;
        float* by_key = row(gradient.keys, s, view.key_stride, h * view.width);
        float* by_value = row(gradient.values, s, view.value_stride, h * view.value_width);
        for (int64_t i = 0; i < view.width; ++i) {
          by_query[i] += by_score * head.key(s)[i];
          by_key[i] += by_score * head.query(t)[i];
        }
        for (int64_t i = 0; i < view.value_width; ++i)
          by_value[i] += weights[s] * head.factor(t, s) * by_context[i];
      }
    }
  }
}

void additive_scores(const AdditiveScores& view, float* scores) {
  for (int64_t t = 0; t < view.query_count; ++t) {
    for (int64_t s = 0; s < view.key_count; ++s) {
      const float* key = view.keys + t * view.keys_of_query + s * view.key_stride;
      float sum = 0;
      for (int64_t d = 0; d < view.width; ++d)
        sum += view.v[d] * std::tanh(view.queries[t * view.query_stride + d] + key[d]);
      scores[t * view.key_count + s] = sum;
    }
  }
}

void additive_scores_backward(const AdditiveScores& view, const AdditiveScoresGradient& gradient) {
  for (int64_t t = 0; t < view.query_count; ++t) {
    for (int64_t s = 0; s < view.key_count; ++s) {
      const float* key = view.keys + t * view.keys_of_query + s * view.key_stride;
      const float by_score = gradient.scores[t * view.key_count + s];
      for (int64_t d = 0; d < view.width; ++d) {
        const float y = std::tanh(view.queries[t * view.query_stride + d] + key[d]);
        const float by_sum = view.v[d] * (1 - y * y) * by_score;
        gradient.queries[t * view.width + d] += by_sum;
        gradient.keys[t * gradient.keys_of_query + s * view.width + d] += by_sum;
        gradient.v[d] += y * by_score;
      }
    }
  }
}

void normalize_backward(const LayerNormView& view, const LayerNormGradient& gradient) {
  for (int64_t r = 0; r < view.rows; ++r) {
    const int64_t row = r * view.width;
    const auto normed = [&](int64_t i) { return (view.x[row + i] - view.mean[r]) * view.scale[r]; };
    float sum = 0, sum_normed = 0;
    for (int64_t i = 0; i < view.width; ++i) {
      const float by_y = gradient.y[row + i], g = by_y * view.gain[i];
      sum += g;
      sum_normed += g * normed(i);
      gradient.gain[i] += by_y * normed(i);
      gradient.bias[i] += by_y;
    }
    const auto size = static_cast<float>(view.width);
    for (int64_t i = 0; i < view.width; ++i) {
      const float g = gradient.y[row + i] * view.gain[i];
      gradient.x[row + i] = (g - sum / size - normed(i) * sum_normed / size) * view.scale[r] +
                            (gradient.more == nullptr ? 0 : gradient.more[row + i]);
    }
  }
}

void fill_rows(const float* row, int64_t rows, int64_t width, float* y) {
  for (int64_t r = 0; r < rows; ++r) std::copy(row, row + width, y + r * width);
}

void pack_rows(const void* rows, int64_t count, int64_t words, void* to) {
  std::memcpy(to, rows, static_cast<size_t>(4 * count * words));
}

void pack_bf16(const uint16_t* b, int64_t depth, int64_t columns, int64_t row, int64_t column,
               uint16_t* to) {
  for (int64_t c = 0; c < columns; ++c) {
    for (int64_t i = 0; i < depth; ++i) *to++ = b[i * row + c * column];
  }
}

void transpose_bf16(const uint16_t* x, int64_t rows, int64_t columns, int64_t stride,
                    uint16_t* to) {
  for (int64_t c = 0; c < columns; ++c) {
    for (int64_t r = 0; r < rows; ++r) *to++ = x[r * stride + c];
  }
}

void add_dropped(const float* x, const float* f, int64_t rows, int64_t width,
                 const DropoutRows& dropout, float* y) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < width; ++i)
      y[r * width + i] = x[r * width + i] + dropped_one(dropout, r, i, f[r * width + i]);
  }
}

void drop(const float* x, int64_t rows, int64_t width, const DropoutRows& dropout, float* y,
          uint16_t* rounded, float* sums) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < width; ++i)
      y[r * width + i] = dropped_one(dropout, r, i, x[r * width + i]);
  }
  if (rounded != nullptr) round_and_sum(y, rows, width, rounded, sums);
}

void relu_dropped(const float* x, const float* bias, int64_t rows, int64_t width,
                  const DropoutRows& dropout, uint16_t* y) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < width; ++i) {
      const float v = x[r * width + i] + bias[i];
      const float kept = dropped_one(dropout, r, i, v < 0 ? 0 : v);
      round_bf16(&kept, 1, 1, 1, y + r * width + i);
    }
  }
}

void relu_dropped_backward(const float* by_y, const uint16_t* y, int64_t rows, int64_t width,
                           float kept, uint16_t* by_x, float* sums) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t i = 0; i < width; ++i) {
      const int64_t at = r * width + i;
      const float v = float_of(y[at]) == 0 ? 0 : by_y[at] * kept;
      round_bf16(&v, 1, 1, 1, by_x + at);
      sums[i] += v;
    }
  }
}

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

void lstm_cell(const LstmCellView& view, float* hidden) {
  const int64_t width = view.width;
  for (int64_t r = 0; r < view.rows; ++r) {
    for (int64_t k = 0; k < width; ++k) {
      const auto at = [&](int64_t gate) { return (4 * r + gate) * width + k; };
      const auto sum = [&](int64_t gate) {
        float total = 0;
        for (const float* part : view.parts) total += part == nullptr ? 0 : part[at(gate)];
        return total;
      };
      const float i = sigmoid(sum(0)), f = sigmoid(sum(1)), g = std::tanh(sum(2)),
                  o = sigmoid(sum(3));
      const float cell = f * view.before[r * width + k] + i * g;
      for (const auto& [gate, value] : {std::pair(0, i), {1, f}, {2, g}, {3, o}})
        view.gates[at(gate)] = value;
      view.after[r * width + k] = cell;
      hidden[r * width + k] = o * std::tanh(cell);
    }
  }
}

void lstm_cell_backward(const LstmCellView& view, const LstmCellGradient& gradient) {
  const int64_t width = view.width;
  for (int64_t r = 0; r < view.rows; ++r) {
    for (int64_t k = 0; k < width; ++k) {
      const int64_t cell = r * width + k;
      const auto at = [&](int64_t gate) { return (4 * r + gate) * width + k; };
      const float i = view.gates[at(0)], f = view.gates[at(1)], g = view.gates[at(2)],
                  o = view.gates[at(3)], t = std::tanh(view.after[cell]);
      const float by_hidden = gradient.hidden == nullptr ? 0 : gradient.hidden[cell];
      const float by_cell =
          by_hidden * o * (1 - t * t) + (gradient.after == nullptr ? 0 : gradient.after[cell]);
      gradient.gates[at(0)] = by_cell * g * i * (1 - i);
      gradient.gates[at(1)] = by_cell * view.before[cell] * f * (1 - f);
      gradient.gates[at(2)] = by_cell * i * (1 - g * g);
      gradient.gates[at(3)] = by_hidden * t * o * (1 - o);
      gradient.before[cell] = by_cell * f;
    }
  }
}

void gru_cell(const GruCellView& view, float* hidden) {
  const int64_t width = view.width;
  for (int64_t r = 0; r < view.rows; ++r) {
    for (int64_t k = 0; k < width; ++k) {
      const float *input = view.input + 3 * r * width + k, *state = view.state + 3 * r * width + k;
      const float reset = sigmoid(input[0] + state[0]),
                  update = sigmoid(input[width] + state[width]);
      const float candidate = std::tanh(input[2 * width] + reset * state[2 * width]);
      hidden[r * width + k] = (1 - update) * candidate + update * view.before[r * width + k];
    }
  }
}

void tanh(float* x, int64_t count) {
  std::transform(x, x + count, x, [](float v) { return std::tanh(v); });
}

}  // namespace

const Kernels kPlainKernels = HEED_KERNELS("plain", 1, 1);

}  // namespace heed
